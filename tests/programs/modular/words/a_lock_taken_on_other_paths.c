// A lock is taken on some paths, and what it protects is used on others, too.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    int some = __VERIFIER_nondet_int();
    if (some) pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    assert(y == 0); // VIOLATION
    y = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    y = 0;
    pthread_mutex_unlock(&m);
    if (some) pthread_mutex_unlock(&n);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
