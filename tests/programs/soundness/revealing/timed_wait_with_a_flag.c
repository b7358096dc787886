// Whoever looks at the flag under the mutex is ordered, whether the wait timed out or not.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, data;

static void *work(void *argument)
{
    data = 1;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
    struct timespec limit = {0, 0};
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&mutex);
    if (!ready)
        pthread_cond_timedwait(&condition, &mutex, &limit);
    int seen = ready;
    pthread_mutex_unlock(&mutex);
    if (seen)
        data = 2;
    pthread_join(thread, 0);
    return 0;
}
