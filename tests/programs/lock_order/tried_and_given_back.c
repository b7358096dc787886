// The second lock is only tried, against the order: whoever does not get it lets go of the first one, too.
// PROPERTY no-deadlock
// EXPECT unbounded
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *forwards(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
    return 0;
}

void *backwards(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&b);
        if (pthread_mutex_trylock(&a) == 0)
            pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, forwards, 0);
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, backwards, 0);
    return 0;
}
