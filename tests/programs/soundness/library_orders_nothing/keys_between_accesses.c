// Creating a key orders no threads, although the two calls come one after the other.
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

static void *second(void *unused)
{
    pthread_key_t key;
    pthread_key_create(&key, 0);
    shared = 2; // RACE
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
