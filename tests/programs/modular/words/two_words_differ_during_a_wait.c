// Two words differ while a thread waits, and the lock is free then.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int a, b;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&m);
    assert(a == b); // VIOLATION
    a = a + 1;
    if (__VERIFIER_nondet_int()) pthread_cond_wait(&c, &m);
    b = a;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
