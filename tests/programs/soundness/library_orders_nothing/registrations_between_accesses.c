// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

static int shared;
static void nothing(void) {}

static void *run(void *unused)
{
    shared = 1; // RACE
    atexit(nothing);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    atexit(nothing);
    shared = 2; // RACE
    pthread_join(thread, 0);
    return 0;
}
