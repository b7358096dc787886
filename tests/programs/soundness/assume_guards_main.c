// Main stops too, but not the others.
// EXPECT violated
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int);

int x;

void *first(void *arg) {
    x = 1;
    return 0;
}

void *second(void *arg) {
    assert(x == 0); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    __VERIFIER_assume(0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
