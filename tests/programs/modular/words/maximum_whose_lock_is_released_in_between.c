// The lock is released between the comparison and the write.
// EXPECT violated
// NONDET 0..2
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int max;
void *work(void *p) {
    int mine = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    int rises = mine > max;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    if (rises) max = mine;
    pthread_mutex_unlock(&m);
    assert(mine <= max); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
