// Double-checked initialisation with an atomic flag.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready;
int value, initialised;

static int get(void) {
    if (!atomic_load(&ready)) {
        SHAKE();
        pthread_mutex_lock(&m);
        if (!atomic_load(&ready)) {
            value = 99;
            initialised++;
            atomic_store(&ready, 1);
        }
        pthread_mutex_unlock(&m);
    }
    return value;
}

void *use(void *arg) {
    SHAKE();
    printf("%d ", get());
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", initialised);
    return 0;
}
