// An expression whose value nobody uses is evaluated: a name as a statement is a read.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

static int shared;

static void *work(void *argument)
{
    shared = 1; // RACE
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    shared; // RACE
    pthread_join(thread, 0);
    return 0;
}
