// Two threads increment a plain counter three times each; updates get lost.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

int counter;

void *increment(void *arg) {
    for (int i = 0; i < 3; i++) {
        int seen = counter;
        SHAKE();
        counter = seen + 1;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", counter);
    return 0;
}
