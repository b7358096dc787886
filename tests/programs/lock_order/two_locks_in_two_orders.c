// One way through the loop takes the locks in another order.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b); // VIOLATION
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // VIOLATION
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}
