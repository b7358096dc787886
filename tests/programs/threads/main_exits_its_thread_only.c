// pthread_exit in main lets the others go on.
// EXPECT violated
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int);

int x;

void *late(void *arg) {
    __VERIFIER_assume(x == 1);
    assert(x == 0); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, late, 0);
    x = 1;
    pthread_exit(0);
}
