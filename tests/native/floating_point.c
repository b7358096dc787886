// Plain doubles under a mutex; the order of the operations shows in the result.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
double value = 1.5;

void *halve(void *arg) {
    SHAKE();
    pthread_mutex_lock(&m);
    value = value / 4;
    pthread_mutex_unlock(&m);
    return 0;
}

void *add(void *arg) {
    SHAKE();
    pthread_mutex_lock(&m);
    value += 0.1f;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, halve, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%f %.3e %g %d\n", value, value, value, (int)(value * 100));
    return 0;
}
