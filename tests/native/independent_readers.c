// Two readers agree on the order of two independent atomic writes.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdatomic.h>

atomic_int x, y;

void *write_x(void *arg) {
    SHAKE();
    atomic_store(&x, 1);
    return 0;
}

void *write_y(void *arg) {
    SHAKE();
    atomic_store(&y, 1);
    return 0;
}

void *read_xy(void *arg) {
    int *seen = arg;
    SHAKE();
    seen[0] = atomic_load(&x);
    seen[1] = atomic_load(&y);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    int seen[2];
    pthread_create(&a, 0, write_x, 0);
    pthread_create(&b, 0, write_y, 0);
    pthread_create(&c, 0, read_xy, seen);
    int y_first = atomic_load(&y);
    int x_then = atomic_load(&x);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    printf("%d%d %d%d\n", seen[0], seen[1], y_first, x_then);
    return 0;
}
