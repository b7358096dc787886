// PROPERTY no-exit-while-locked
// EXPECT violated
// NONDET 0..2
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

int main(void) {
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 2)
        abort();
    pthread_mutex_lock(&m[k]);
    if (k != 1)
        pthread_mutex_unlock(&m[k]);
    exit(0); // VIOLATION
}
