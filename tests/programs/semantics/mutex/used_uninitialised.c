// A mutex on the heap or the stack has indeterminate contents until it is initialised.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_lock(m); // VIOLATION
    pthread_mutex_unlock(m);
    free(m);
    return 0;
}
