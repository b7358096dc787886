// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int is_done;

static void last(void) { assert(is_done); }
static void before(void) { is_done = 1; }
static void other(void) {}

static void *run(void *unused)
{
    atexit(other);
    return 0;
}

int main(void)
{
    pthread_t thread;
    atexit(last);
    atexit(before);
    pthread_create(&thread, 0, run, 0);
    return 0;
}
