// What is called depends on what another thread stored.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdatomic.h>

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int negate(int x) { return -x; }

int (*table[3])(int) = {twice, square, negate};
atomic_int choice;
int (*_Atomic chosen)(int) = twice;

void *choose(void *arg) {
    SHAKE();
    atomic_store(&choice, 2);
    SHAKE();
    atomic_store(&chosen, square);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, choose, 0);
    SHAKE();
    int by_index = table[atomic_load(&choice)](5);
    SHAKE();
    int by_pointer = atomic_load(&chosen)(7);
    pthread_join(t, 0);
    printf("%d %d\n", by_index, by_pointer);
    return 0;
}
