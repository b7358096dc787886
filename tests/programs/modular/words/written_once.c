// A word that is not zero does not change any more.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int winner;
void *work(void *p) {
    int mine = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (winner == 0) winner = mine;
    int first = winner;
    pthread_mutex_unlock(&m);
    if (first != 0) assert(winner == first);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}
