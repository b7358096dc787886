// The second key tells that the other thread was first, not that it is ordered.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

static int shared;

static void *first(void *unused)
{
    pthread_key_t key;
    shared = 1; // RACE
    pthread_key_create(&key, 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_t key;
    pthread_create(&thread, 0, first, 0);
    pthread_key_create(&key, 0);
    if (key == 1)
        shared = 2; // RACE
    pthread_join(thread, 0);
    return 0;
}
