// Three threads meet twice; rounds do not overlap.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_barrier_t barrier;

void *rounds(void *arg) {
    for (int i = 0; i < 2; i++) {
        SHAKE();
        printf("%d", i);
        pthread_barrier_wait(&barrier);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&a, 0, rounds, 0);
    pthread_create(&b, 0, rounds, 0);
    rounds(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("\n");
    return 0;
}
