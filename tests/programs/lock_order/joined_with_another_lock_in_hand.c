// Who joins holds a lock that the other one does not need.
// PROPERTY no-deadlock
// EXPECT unbounded
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
    }
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_mutex_lock(&b);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_mutex_unlock(&b);
    return 0;
}
