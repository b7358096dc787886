// One producer, the others consume what it makes. BROKEN: a consumer looks for an item before it takes the lock; the
// producer's signal may come in between and is lost. Repaired: it looks under the lock, again after every wake-up.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif

#define CONSUMERS (THREADS - 1)

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int items;

void *producer(void *argument) {
    pthread_mutex_lock(&lock);
    items = CONSUMERS;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *consumer(void *argument) {
#ifdef BROKEN
    int empty = items == 0;
    pthread_mutex_lock(&lock);
    if (empty)
        pthread_cond_wait(&filled, &lock);
#else
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&filled, &lock);
#endif
    items--;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, i == 0 ? producer : consumer, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
