// The end of a thread orders nothing for main, which does not join it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

static int data;

static void handler(void) { }

static void *work(void *argument)
{
    data = 1; // RACE
    return argument;
}

int main(void)
{
    pthread_t a, b;
    atexit(handler);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_exit(0);
}
