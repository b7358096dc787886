// A semaphore of two lets two of three threads in; each prints how many it found inside.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <semaphore.h>
#include <stdatomic.h>

sem_t slots;
atomic_int inside;

void *enter(void *arg) {
    SHAKE();
    sem_wait(&slots);
    int now = atomic_fetch_add(&inside, 1) + 1;
    SHAKE();
    printf("%d", now);
    atomic_fetch_sub(&inside, 1);
    sem_post(&slots);
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&slots, 0, 2);
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, 0);
    enter(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("\n");
    return 0;
}
