// The first thread makes the word zero after it has said that it has begun.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int state, top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&m);
    if (state == 0) {
        state = 1;
        pthread_mutex_unlock(&m);
        top = 0;
        pthread_mutex_lock(&m);
    }
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_begin();
    top = 1;
    __VERIFIER_atomic_end();
    assert(top != 0); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
