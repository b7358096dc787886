// The creator sets the maximum to its first value after the first thread exists.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int max;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    int mine = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (mine > max) max = mine;
    pthread_mutex_unlock(&m);
    assert(mine <= max); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 1; i++) pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    max = 0;
    pthread_mutex_unlock(&m);
    return 0;
}
