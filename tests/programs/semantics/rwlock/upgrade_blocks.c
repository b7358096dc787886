// A reader that asks for the write lock waits for itself.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l); // VIOLATION
    return 0;
}
