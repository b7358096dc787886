// Each writer holds a lock, but not the same one.
// EXPECT violated
// NONDET 0..2
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
int max;
void *work(void *p) {
    pthread_mutex_t *own = __VERIFIER_nondet_int() ? &m : &other;
    int mine = __VERIFIER_nondet_int();
    pthread_mutex_lock(own);
    if (mine > max) max = mine;
    pthread_mutex_unlock(own);
    assert(mine <= max); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
