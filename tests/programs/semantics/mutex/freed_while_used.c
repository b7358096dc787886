// A mutex lives in memory: locking it after free is an invalid access.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    free(m);
    pthread_mutex_lock(m); // VIOLATION
    return 0;
}
