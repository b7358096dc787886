// Both threads have ended when the handler runs.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ended;

static void handler(void)
{
    assert(ended == 2);
}

static void *work(void *argument)
{
    ended++;
    return argument;
}

int main(void)
{
    pthread_t a, b;
    atexit(handler);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_exit(0);
}
