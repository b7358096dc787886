// A section that always fails, beside a race that it has nothing to do with.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;

void *first(void *arg) {
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return 0;
}

void *second(void *arg) {
    x = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    int seen = x; // RACE
    return seen;
}
