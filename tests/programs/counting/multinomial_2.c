// Main and two threads with 2 independent steps each: 6! / (2!)^3 executions. Creating both threads is one step, and so is
// joining them.
// EXPECT proved
// EXECUTIONS 90
#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y, z;

void *first(void *arg) {
    x = 1;
    x = 1;
    return 0;
}

void *second(void *arg) {
    y = 1;
    y = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    __VERIFIER_atomic_begin();
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    __VERIFIER_atomic_end();
    z = 1;
    z = 1;
    __VERIFIER_atomic_begin();
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_atomic_end();
    assert(x == 1 && y == 1 && z == 1);
    return 0;
}
