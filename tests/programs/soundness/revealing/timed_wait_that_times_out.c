// A wait that timed out has not been signalled, and orders nothing but by its mutex.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int data;

static void *work(void *argument)
{
    data = 1; // RACE
    pthread_cond_signal(&condition);
    return argument;
}

int main(void)
{
    struct timespec limit = {0, 0};
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&mutex);
    int result = pthread_cond_timedwait(&condition, &mutex, &limit);
    pthread_mutex_unlock(&mutex);
    if (result != 0)
        data = 2; // RACE
    pthread_join(thread, 0);
    return 0;
}
