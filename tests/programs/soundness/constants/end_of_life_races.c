// A constant local can still be gone when another thread looks.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

static int seen;

static void *work(void *argument)
{
    seen = *(const int *)argument; // RACE
    return 0;
}

static void start(pthread_t *thread)
{
    const int k = 3;
    pthread_create(thread, 0, work, (void *)&k);
} // RACE

int main(void)
{
    pthread_t thread;
    start(&thread);
    pthread_join(thread, 0);
    return 0;
}
