// The lock is held in every round, and released and taken again in between.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&m);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    while (__VERIFIER_nondet_int()) {
        assert(x == 0);
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        assert(x == 0);
    }
    return 0;
}
