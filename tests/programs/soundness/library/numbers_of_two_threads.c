// Threads that live at the same time have different numbers, also if they ask at the same time.
// EXPECT proved
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_barrier_t both;
static int numbers[2];

static void *work(void *argument)
{
    *(int *)argument = gettid();
    pthread_barrier_wait(&both);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&first, 0, work, &numbers[0]);
    pthread_create(&second, 0, work, &numbers[1]);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(numbers[0] != numbers[1]);
    assert(numbers[0] != gettid());
    return 0;
}
