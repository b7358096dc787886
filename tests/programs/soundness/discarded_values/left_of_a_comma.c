// The left operand of a comma and the first expression of a loop are read.
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
    int zero;
    pthread_create(&thread, 0, work, 0);
    for (zero = (shared, 0); zero;) // RACE
        ;
    pthread_join(thread, 0);
    return zero;
}
