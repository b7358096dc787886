// What is added to may be read before the lock is taken.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *increment(void *argument)
{
    pthread_mutex_lock(&lock);
    shared++; // RACE
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, increment, 0);
    shared += pthread_mutex_lock(&lock); // RACE
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
