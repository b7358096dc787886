// Mutual exclusion after Peterson, with sequentially consistent atomics.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdatomic.h>

atomic_int wants[2], turn;
int inside, counter;

static void enter(int me) {
    atomic_store(&wants[me], 1);
    atomic_store(&turn, 1 - me);
    while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me) {
    }
}

void *work(void *arg) {
    int me = *(int *)arg;
    SHAKE();
    enter(me);
    inside++;
    SHAKE();
    printf("%d%d ", me, inside);
    counter++;
    inside--;
    atomic_store(&wants[me], 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int zero = 0, one = 1;
    pthread_create(&a, 0, work, &zero);
    pthread_create(&b, 0, work, &one);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", counter);
    return 0;
}
