// The process may exit before there is any lock.
// PROPERTY no-exit-while-locked
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

int nondet_int(void);

int main(void) {
    if (nondet_int() != 1) {
        return 0;
    }
    pthread_mutex_t *m = calloc(1, sizeof *m);
    pthread_mutex_lock(m);
    free(m);
    return 0;
}
