// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

static int data;

static void handler(void)
{
    data++;
}

static void *work(void *argument)
{
    data = 1;
    return argument;
}

int main(void)
{
    pthread_t a;
    atexit(handler);
    pthread_create(&a, 0, work, 0);
    pthread_exit(0);
}
