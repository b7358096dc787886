// A normal mutex protects a counter; each thread prints what it made of it.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *increment(void *arg) {
    SHAKE();
    pthread_mutex_lock(&m);
    int seen = counter;
    SHAKE();
    counter = seen + 1;
    printf("%s%d ", (char *)arg, counter);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, increment, "a");
    pthread_create(&b, 0, increment, "b");
    pthread_create(&c, 0, increment, "c");
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    printf("%d\n", counter);
    return 0;
}
