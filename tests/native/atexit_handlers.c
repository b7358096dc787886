// Handlers run in reverse order when main returns.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdlib.h>

int x;

void first(void) { printf("first %d\n", x); }
void second(void) { printf("second "); }

void *work(void *arg) {
    SHAKE();
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    atexit(first);
    atexit(second);
    pthread_create(&t, 0, work, 0);
    SHAKE();
    int seen = x;
    pthread_join(t, 0);
    printf("%d ", seen);
    return seen;
}
