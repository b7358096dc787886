// The end of a section is ordered before the beginning of the next.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, data;

void *first(void *arg) {
    data = 1; // NORACE
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    return 0;
}

void *second(void *arg) {
    int seen;
    __VERIFIER_atomic_begin();
    seen = x;
    __VERIFIER_atomic_end();
    if (seen)
        data++; // NORACE
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
