// A barrier separates what threads write from what they read; one of them is the serial one.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_barrier_t barrier;
int slots[2];

void *phases(void *arg) {
    int me = *(int *)arg;
    slots[me] = me + 5;
    SHAKE();
    int result = pthread_barrier_wait(&barrier);
    printf("%d sees %d%s ", me, slots[1 - me], result == PTHREAD_BARRIER_SERIAL_THREAD ? "!" : "");
    return 0;
}

int main(void) {
    pthread_t a, b;
    int zero = 0, one = 1;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, phases, &zero);
    pthread_create(&b, 0, phases, &one);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", pthread_barrier_destroy(&barrier));
    return 0;
}
