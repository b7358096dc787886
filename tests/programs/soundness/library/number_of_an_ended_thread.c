// The number of a thread that has ended may be that of the next one.
// EXPECT violated
// NONDET 1..2
// NATIVE no the system seldom gives a number away again
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int numbers[2];

static void *work(void *argument)
{
    *(int *)argument = gettid();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, &numbers[0]);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, work, &numbers[1]);
    pthread_join(thread, 0);
    assert(numbers[0] != numbers[1]); // VIOLATION
    return 0;
}
