// A thread creates a thread of its own and waits for it.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdint.h>

int x;

void *inner(void *arg) {
    SHAKE();
    int seen = x;
    SHAKE();
    x = seen + 1;
    return (void *)(intptr_t)(seen + 100);
}

void *outer(void *arg) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, inner, 0);
    x = x + 10;
    pthread_join(t, &result);
    return result;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, outer, 0);
    pthread_join(t, &result);
    printf("%d %d\n", x, (int)(intptr_t)result);
    return 0;
}
