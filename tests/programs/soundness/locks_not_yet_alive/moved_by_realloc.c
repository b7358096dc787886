// The copy that realloc makes of a lock that is held is held.
// PROPERTY no-exit-while-locked
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int nondet_int(void);

int main(void) { // VIOLATION
    if (nondet_int() != 1) {
        return 0;
    }
    pthread_mutex_t *m = calloc(1, sizeof *m);
    pthread_mutex_lock(m);
    m = realloc(m, 2 * sizeof *m);
    return 0;
}
