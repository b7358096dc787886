// As write_before_invalid_access.c, through a null pointer and on the heap.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int *shared, *none;

static void *writer(void *arg) {
    __VERIFIER_atomic_begin();
    *shared = 2; // RACE
    *none = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    shared = calloc(1, sizeof *shared);
    pthread_create(&thread, 0, writer, 0);
    *shared = 3; // RACE
    pthread_join(thread, 0);
    free(shared);
    return 0;
}
