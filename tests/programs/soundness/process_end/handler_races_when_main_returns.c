// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

static int data;

static void handler(void)
{
    data++; // RACE
}

static void *work(void *argument)
{
    data = 1; // RACE
    return argument;
}

int main(void)
{
    pthread_t a;
    atexit(handler);
    pthread_create(&a, 0, work, 0);
    return 0;
}
