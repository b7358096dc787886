// Who asks for the write lock while reading waits for himself.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

int main(void) {
    while (__VERIFIER_nondet_int()) {
        pthread_rwlock_rdlock(&lock);
        if (x == 0) {
            pthread_rwlock_wrlock(&lock); // VIOLATION
            x = 1;
            pthread_rwlock_unlock(&lock);
        }
        pthread_rwlock_unlock(&lock);
    }
    return 0;
}
