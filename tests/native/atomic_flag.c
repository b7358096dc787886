// A lock made of an atomic flag.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdatomic.h>

atomic_flag busy = ATOMIC_FLAG_INIT;
int counter;

void *enter(void *arg) {
    SHAKE();
    while (atomic_flag_test_and_set(&busy)) {
    }
    int seen = counter;
    SHAKE();
    counter = seen + 1;
    printf("%d", seen);
    atomic_flag_clear(&busy);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", counter);
    return 0;
}
