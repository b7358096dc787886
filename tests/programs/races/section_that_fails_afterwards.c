// The section is never finished, but the race comes before it fails.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *first(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1; // RACE
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return 0;
}

void *second(void *arg) {
    x = 2; // RACE
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
