// The wrong order is taken for one input only.
// PROPERTY no-deadlock
// EXPECT violated
// NONDET 0..3
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // VIOLATION
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *g(void *arg) {
    if (__VERIFIER_nondet_int() == 3) {
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a); // VIOLATION
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
