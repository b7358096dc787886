// It is handed over before the thread is done with it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int *left;

void *worker(void *arg) {
    int *p = malloc(sizeof *p);
    *p = 1;
    __atomic_store_n(&left, p, __ATOMIC_RELEASE);
    *p = 2; // VIOLATION
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int *result = __atomic_load_n(&left, __ATOMIC_ACQUIRE);
    if (result)
        *result = 3; // VIOLATION
    pthread_join(t, 0);
    return 0;
}
