// The end of the literal's life races with the thread.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

static void *use(void *p)
{
    *(int *)p = 1; // RACE
    return 0;
}

int main(void)
{
    pthread_t thread;
    if (1)
        pthread_create(&thread, 0, use, &(int){0}); // RACE
    pthread_join(thread, 0);
    return 0;
}
