// With sequentially consistent atomics at least one thread sees the other.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdatomic.h>

atomic_int x, y;

void *first(void *arg) {
    SHAKE();
    atomic_store(&x, 1);
    int seen = atomic_load(&y);
    printf("y%d ", seen);
    return 0;
}

void *second(void *arg) {
    SHAKE();
    atomic_store(&y, 1);
    int seen = atomic_load(&x);
    printf("x%d ", seen);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("\n");
    return 0;
}
