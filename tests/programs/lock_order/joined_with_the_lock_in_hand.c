// Who joins holds the lock that the other one needs before it can end.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&a); // VIOLATION
        pthread_mutex_unlock(&a);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&a);
    pthread_join(t, 0); // VIOLATION
    pthread_mutex_unlock(&a);
    return 0;
}
