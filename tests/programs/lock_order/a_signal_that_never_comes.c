// The order of locks is fine, but nobody signals.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&a);
        pthread_cond_wait(&c, &a); // VIOLATION
        pthread_mutex_unlock(&a);
    }
    return 0;
}
