// A CAS loop multiplies; the order of the factors does not matter, of what is seen it does.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdatomic.h>

atomic_int product = 1;

void *multiply(void *arg) {
    int factor = *(int *)arg;
    int seen = atomic_load(&product);
    int tries = 1;
    SHAKE();
    while (!atomic_compare_exchange_strong(&product, &seen, seen * factor)) {
        tries++;
        SHAKE();
    }
    printf("%d:%d ", factor, tries);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int three = 3, five = 5;
    pthread_create(&a, 0, multiply, &three);
    pthread_create(&b, 0, multiply, &five);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", atomic_load(&product));
    return 0;
}
