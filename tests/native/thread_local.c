// Each thread has its own copy of a thread-local variable.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

__thread int mine = 5;
_Thread_local static int other;
int shared;

void *work(void *arg) {
    int step = *(int *)arg;
    mine += step;
    other += 2 * step;
    SHAKE();
    shared += step;
    printf("%d/%d ", mine, other);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int one = 1, ten = 10;
    pthread_create(&a, 0, work, &one);
    pthread_create(&b, 0, work, &ten);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d/%d %d\n", mine, other, shared);
    return 0;
}
