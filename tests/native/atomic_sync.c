// The __sync builtins.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

int counter = 10, lock;

void *add(void *arg) {
    SHAKE();
    int before = __sync_fetch_and_add(&counter, 5);
    printf("a%d ", before);
    return 0;
}

void *swap(void *arg) {
    SHAKE();
    int before = __sync_val_compare_and_swap(&counter, 10, 100);
    int taken = __sync_lock_test_and_set(&lock, 1);
    __sync_lock_release(&lock);
    printf("s%d,%d ", before, taken);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, swap, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int swapped = __sync_bool_compare_and_swap(&counter, 115, 2);
    printf("%d %d\n", counter, swapped);
    return 0;
}
