// A thread that does not get the lock goes on as if it had.
// EXPECT violated
// NONDET 1..2
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int winner;
void *work(void *p) {
    int mine = __VERIFIER_nondet_int();
    int held = pthread_mutex_trylock(&m) == 0;
    int vacant = winner == 0;
    if (vacant) winner = mine;
    int first = winner;
    if (held) pthread_mutex_unlock(&m);
    assert(winner == first); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
