// Two philosophers, one of them left-handed: nobody starves.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *philosopher(void *arg) {
    const char *name = arg;
    SHAKE();
    pthread_mutex_lock(&forks[0]);
    SHAKE();
    pthread_mutex_lock(&forks[1]);
    printf("%s eats ", name);
    pthread_mutex_unlock(&forks[1]);
    pthread_mutex_unlock(&forks[0]);
    printf("%s thinks ", name);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, philosopher, "A");
    pthread_create(&b, 0, philosopher, "B");
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("\n");
    return 0;
}
