// Who gets the lock by trying finds what it protects.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    y++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    y--;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    if (pthread_mutex_trylock(&n)) return 0;
    pthread_mutex_lock(&m);
    assert(y == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
