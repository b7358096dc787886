// A spin lock protects a counter; a try tells whether it is held.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <errno.h>

pthread_spinlock_t lock;
int counter;

void *add(void *arg) {
    pthread_spin_lock(&lock);
    int seen = counter;
    SHAKE();
    counter = seen + 10;
    pthread_spin_unlock(&lock);
    return 0;
}

void *try_to_add(void *arg) {
    SHAKE();
    int result = pthread_spin_trylock(&lock);
    if (result == 0) {
        counter += 1;
        pthread_spin_unlock(&lock);
    }
    printf("%s ", result == EBUSY ? "busy" : "mine");
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, try_to_add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", counter);
    return 0;
}
