// The section may fail, and comes before the access that it races with.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;
int *p = &y;
pthread_barrier_t barrier;

void *first(void *arg) {
    __VERIFIER_atomic_begin();
    (*p)++; // RACE
    __VERIFIER_atomic_end();
    return 0;
}

void *second(void *arg) {
    while (!x) // RACE
        ;
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    __VERIFIER_atomic_begin();
    p = &x;
    __VERIFIER_atomic_end();
    return 0;
}
