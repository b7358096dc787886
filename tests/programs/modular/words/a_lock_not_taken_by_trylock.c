// Who does not get the lock by trying goes on.
// EXPECT violated
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
    for (int i = 0; i < 1; i++) pthread_create(&t, 0, work, 0);
    pthread_mutex_trylock(&n);
    pthread_mutex_lock(&m);
    assert(y == 0); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}
