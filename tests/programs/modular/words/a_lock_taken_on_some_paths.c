// A lock is taken, and what it protects is used, on the same paths.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    int some = __VERIFIER_nondet_int();
    if (some) pthread_mutex_lock(&n);
    if (some) {
        pthread_mutex_lock(&m);
        assert(y == 0);
        y = 1;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        y = 0;
        pthread_mutex_unlock(&m);
    }
    if (some) pthread_mutex_unlock(&n);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}
