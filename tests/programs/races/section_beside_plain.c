// An access inside of a section races with a plain one outside.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *first(void *arg) {
    __VERIFIER_atomic_begin();
    x++; // RACE
    __VERIFIER_atomic_end();
    return 0;
}

void *second(void *arg) {
    int seen = x; // RACE
    (void)seen;
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
