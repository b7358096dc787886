// Three pairs of accesses in conflict: one under a lock, one before the thread is created, one that races.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int guarded, early, racy;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    guarded = 1;
    pthread_mutex_unlock(&lock);
    early = 1;
    racy = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    early = 2;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    guarded = 2;
    pthread_mutex_unlock(&lock);
    racy = 2;
    pthread_join(thread, 0);
    return 0;
}
