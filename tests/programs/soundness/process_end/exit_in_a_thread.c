// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;

static void handler(void)
{
    assert(done); // VIOLATION
}

static void *work(void *argument)
{
    exit(0);
}

int main(void)
{
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
