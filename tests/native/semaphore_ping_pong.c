// Two semaphores make two threads take turns.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <semaphore.h>

sem_t ping, pong;

void *pinger(void *arg) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&ping);
        printf("ping%d ", i);
        SHAKE();
        sem_post(&pong);
    }
    return 0;
}

void *ponger(void *arg) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&pong);
        printf("pong%d ", i);
        SHAKE();
        sem_post(&ping);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    pthread_create(&a, 0, pinger, 0);
    pthread_create(&b, 0, ponger, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int value;
    sem_getvalue(&ping, &value);
    printf("%d\n", value);
    return 0;
}
