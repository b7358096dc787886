// A violation inside a section counts although the section could not be completed.
// EXPECT violated
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int x;

void *first(void *arg) {
    x = 1;
    return 0;
}

void *second(void *arg) {
    __VERIFIER_atomic_begin();
    assert(x == 0); // VIOLATION
    __VERIFIER_assume(0);
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
