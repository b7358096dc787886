/* The flag is looked at before the lock is taken: the signal may come in between, and nobody waits for it yet. */
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
atomic_int full;

void *consumer(void *unused)
{
    if (!full) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&filled, &lock);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    full = 1;
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
