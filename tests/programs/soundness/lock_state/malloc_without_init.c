// Memory from malloc is not initialised, nor is a lock in it of which only a part is set.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    pthread_rwlock_t *r = malloc(2 * sizeof *r);
    memset(r, 0, sizeof *r);
    pthread_rwlock_rdlock(&r[0]);
    pthread_rwlock_unlock(&r[0]);
    pthread_rwlock_rdlock(&r[1]); // VIOLATION
    return 0;
}
