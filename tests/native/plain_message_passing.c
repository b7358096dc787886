// The same with plain integers: x86 keeps stores in order and loads in order.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

int data, ready;

void *sender(void *arg) {
    data = 1;
    SHAKE();
    ready = 1;
    return 0;
}

void *receiver(void *arg) {
    SHAKE();
    int seen = ready;
    SHAKE();
    int value = data;
    printf("%d%d\n", seen, value);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
