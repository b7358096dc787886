// A flag tells that data are there; the reader may come too early and sees then what it sees.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdatomic.h>

int data;
atomic_int ready;

void *sender(void *arg) {
    data = 42;
    SHAKE();
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

void *receiver(void *arg) {
    SHAKE();
    if (atomic_load_explicit(&ready, memory_order_acquire)) {
        printf("received %d\n", data);
    } else {
        printf("too early\n");
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", data);
    return 0;
}
