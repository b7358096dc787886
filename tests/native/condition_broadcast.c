// A broadcast wakes all that wait; in which order is open.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int open;

void *wait_for_it(void *arg) {
    pthread_mutex_lock(&m);
    while (!open) {
        pthread_cond_wait(&c, &m);
    }
    printf("%s", (char *)arg);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, wait_for_it, "a");
    pthread_create(&b, 0, wait_for_it, "b");
    SHAKE();
    pthread_mutex_lock(&m);
    open = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("\n");
    return 0;
}
