// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void handler(void)
{
    assert(0); // VIOLATION
}

static void *work(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
