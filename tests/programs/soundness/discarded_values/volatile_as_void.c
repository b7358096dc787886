// Reading a volatile object is an effect, which `(void)` does not take away.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

static volatile int shared;

static void *work(void *argument)
{
    shared = 1; // RACE
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    (void)shared; // RACE
    pthread_join(thread, 0);
    return 0;
}
