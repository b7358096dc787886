// The __atomic builtins: exchange, fetch and or, nand, compare and exchange.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

int word = 1, flag;

void *first(void *arg) {
    SHAKE();
    int old = __atomic_fetch_or(&word, 6, __ATOMIC_SEQ_CST);
    SHAKE();
    int was = __atomic_exchange_n(&flag, 1, __ATOMIC_ACQ_REL);
    printf("f%d,%d ", old, was);
    return 0;
}

void *second(void *arg) {
    int expected = 1;
    SHAKE();
    int won = __atomic_compare_exchange_n(&word, &expected, 32, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    SHAKE();
    int was = __atomic_exchange_n(&flag, 2, __ATOMIC_ACQ_REL);
    printf("s%d,%d,%d ", won, expected, was);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d %d ", __atomic_load_n(&word, __ATOMIC_ACQUIRE), flag);
    printf("%d\n", __atomic_nand_fetch(&word, 5, __ATOMIC_RELAXED));
    return 0;
}
