// POSIX lets an implementation wait for ever.
// PROPERTY no-deadlock
// EXPECT violated
// NATIVE no glibc returns EDEADLK
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_wrlock(&l); // VIOLATION
    return 0;
}
