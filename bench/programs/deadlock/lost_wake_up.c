// One producer fills a slot for each of the others, who wait for it. BROKEN: a consumer looks before it takes the lock; the
// producer's signal may come in between and is lost. Repaired: it looks under the lock, again after every wake-up.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int filled_once, items[THREADS];

void *producer(void *argument) {
    pthread_mutex_lock(&lock);
    for (int i = 1; i < THREADS; i++)
        items[i] = 10 + i;
    filled_once = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *consumer(void *argument) {
#ifdef BROKEN
    int empty = !filled_once;
    pthread_mutex_lock(&lock);
    if (empty)
        pthread_cond_wait(&filled, &lock);
#else
    pthread_mutex_lock(&lock);
    while (!filled_once)
        pthread_cond_wait(&filled, &lock);
#endif
    items[(long)argument] = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, i == 0 ? producer : consumer, (void *)(long)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
