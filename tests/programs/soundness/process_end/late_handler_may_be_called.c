// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void bad(void)
{
    assert(0); // VIOLATION
}

static void *run(void *unused)
{
    atexit(bad);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    exit(0);
}
