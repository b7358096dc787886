// PROPERTY no-data-race
// EXPECT unknown
#include <pthread.h>

extern int *pointer;

static void *run(void *argument)
{
    if (pointer)
        *pointer = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    if (pointer)
        *pointer = 2;
    pthread_join(thread, 0);
    return 0;
}
