// One thread writes even cells, the other odd ones.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int cells[4];
extern unsigned __VERIFIER_nondet_uint(void);

void *first(void *arg) {
    unsigned i = __VERIFIER_nondet_uint() & 1;
    cells[2 * i] = 1; // NORACE
    return 0;
}

void *second(void *arg) {
    unsigned i = __VERIFIER_nondet_uint() & 1;
    cells[2 * i + 1] = 2; // NORACE
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
