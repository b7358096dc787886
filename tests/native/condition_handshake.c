// A flag under a mutex with a condition variable, waited for in a loop.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, value;

void *producer(void *arg) {
    SHAKE();
    pthread_mutex_lock(&m);
    value = 42;
    ready = 1;
    printf("set ");
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    SHAKE();
    printf("done ");
    return 0;
}

void *consumer(void *arg) {
    SHAKE();
    pthread_mutex_lock(&m);
    while (!ready) {
        pthread_cond_wait(&c, &m);
    }
    printf("got %d ", value);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("end\n");
    return 0;
}
