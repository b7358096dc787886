// Each element has its own lock.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int cells[2];
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
extern unsigned __VERIFIER_nondet_uint(void);

void touch(unsigned cell, unsigned lock) {
    pthread_mutex_lock(&locks[lock]);
    cells[cell]++; // NORACE
    pthread_mutex_unlock(&locks[lock]);
}

void *first(void *arg) {
    unsigned i = __VERIFIER_nondet_uint() & 1;
    touch(i, i);
    return 0;
}

void *second(void *arg) {
    unsigned i = __VERIFIER_nondet_uint() & 1;
    touch(i, i);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
