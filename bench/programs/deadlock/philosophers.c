// Dining philosophers. BROKEN: everybody takes the left fork first, and all can hold one and wait for the next.
// Repaired: the last one takes the forks in the other order, so that the order of all forks has no cycle.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif

pthread_mutex_t forks[THREADS];
int meals[THREADS];

void eat(int philosopher, int first, int second) {
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[philosopher]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
}

void *philosopher(void *argument) {
    int own = (int)(long)argument;
    int left = own, right = (own + 1) % THREADS;
#ifdef BROKEN
    eat(own, left, right);
#else
    if (left < right)
        eat(own, left, right);
    else
        eat(own, right, left);
#endif
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_mutex_init(&forks[i], 0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)(long)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
