// PROPERTY no-exit-while-locked
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int nondet_int(void);

int main(void) { // VIOLATION
    if (nondet_int() != 1) {
        return 0;
    }
    pthread_mutex_t *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    free(nondet_int() == 1 ? a : b);
    return 0;
}
