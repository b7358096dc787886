// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *increment(void *argument)
{
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    return argument;
}

static int read_shared(void)
{
    pthread_mutex_lock(&lock);
    int value;
    int error = (value = shared, pthread_mutex_unlock(&lock)) + 1;
    return value + error;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, increment, 0);
    int value = read_shared();
    pthread_join(thread, 0);
    return value;
}
