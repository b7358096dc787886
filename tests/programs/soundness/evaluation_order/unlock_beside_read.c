// The lock may be given back before what it protects is read.
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

static int read_shared(void)
{
    pthread_mutex_lock(&lock);
    return shared + pthread_mutex_unlock(&lock); // RACE
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, increment, 0);
    int value = read_shared();
    pthread_join(thread, 0);
    return value;
}
