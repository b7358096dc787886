// A producer and a consumer around a buffer of one, with one condition for each of them.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int buffer, full;

void *produce(void *arg) {
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (full) {
            pthread_cond_wait(&not_full, &m);
        }
        buffer = i * i;
        full = 1;
        printf("+%d", i * i);
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
        SHAKE();
    }
    return 0;
}

void *consume(void *arg) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        SHAKE();
        pthread_mutex_lock(&m);
        while (!full) {
            pthread_cond_wait(&not_empty, &m);
        }
        sum += buffer;
        full = 0;
        printf("-%d", buffer);
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
    printf("=%d", sum);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("\n");
    return 0;
}
