// An address that a relaxed atomic double carries orders nothing.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

_Atomic double box;

static void *sender(void *unused) {
    int *number = malloc(sizeof *number);
    double carried;
    memcpy(&carried, &number, sizeof carried);
    *number = 1; // RACE
    atomic_store_explicit(&box, carried, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    double carried = atomic_load_explicit(&box, memory_order_relaxed);
    int *number;
    memcpy(&number, &carried, sizeof number);
    if (number)
        *number = 2; // RACE
    pthread_join(thread, NULL);
    return 0;
}
