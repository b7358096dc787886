// The error path unlocks, and then the common end does.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    int failed = __VERIFIER_nondet_int();
    if (failed)
        pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    return 0;
}
