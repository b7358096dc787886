// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int first_calls, second_calls;

static void first(void)
{
    first_calls++;
    assert(first_calls == 1);
}

static void second(void)
{
    second_calls++;
    assert(second_calls == 1);
}

static void *run(void *unused)
{
    atexit(second);
    return 0;
}

int main(void)
{
    pthread_t thread;
    atexit(first);
    pthread_create(&thread, 0, run, 0);
    exit(0);
}
