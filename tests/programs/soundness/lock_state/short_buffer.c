// An operation accesses all bytes of its object.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *m = calloc(1, 8);
    pthread_mutex_lock(m); // VIOLATION
    return 0;
}
