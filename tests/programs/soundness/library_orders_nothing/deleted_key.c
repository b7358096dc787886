// Who finds the key deleted knows nothing of what the other thread did before.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

static int shared;
static pthread_key_t key;

static void *run(void *unused)
{
    shared = 1; // RACE
    pthread_key_delete(key);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, 0);
    pthread_create(&thread, 0, run, 0);
    if (pthread_key_delete(key) != 0)
        shared = 2; // RACE
    pthread_join(thread, 0);
    return 0;
}
