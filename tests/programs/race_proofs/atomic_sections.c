// Two atomic sections are ordered, one way or the other.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *first(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return 0;
}

void *second(void *arg) {
    __VERIFIER_atomic_begin();
    if (x)
        x = 5;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
