// Both indices can be the same.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 0..3
#include <pthread.h>

int cells[4];
extern unsigned __VERIFIER_nondet_uint(void);

void *first(void *arg) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 4)
        cells[i] = 1; // RACE
    return 0;
}

void *second(void *arg) {
    cells[2] = 2; // RACE
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
