// An assertion that fails in some schedules aborts the process.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <assert.h>

int x;

void *work(void *arg) {
    SHAKE();
    x = 1;
    SHAKE();
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    SHAKE();
    int seen = x;
    printf("%d ", seen);
    assert(seen != 1);
    pthread_join(t, 0);
    printf("end %d\n", x);
    return seen;
}
