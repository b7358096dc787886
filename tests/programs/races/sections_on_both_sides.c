// Atomic sections are ordered with each other.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *first(void *arg) {
    __VERIFIER_atomic_begin();
    x++; // NORACE
    __VERIFIER_atomic_end();
    return 0;
}

void *second(void *arg) {
    __VERIFIER_atomic_begin();
    x++; // NORACE
    __VERIFIER_atomic_end();
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
