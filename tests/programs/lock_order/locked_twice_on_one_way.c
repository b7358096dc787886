// A lock that may be held already is taken again.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

static void locked(void) { pthread_mutex_lock(&a); } // VIOLATION

int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            locked();
        locked();
        pthread_mutex_unlock(&a);
    }
    return 0;
}
