// Two words are written one after the other, each under its own lock.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int a, b;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&m);
    a = a + 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n);
    b = b + 1;
    pthread_mutex_unlock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    assert(a == b); // VIOLATION
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
