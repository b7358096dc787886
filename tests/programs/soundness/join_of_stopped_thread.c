// Main waits for ever for a thread that an assume has stopped.
// EXPECT proved
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int);

int x;

void *stopped(void *arg) {
    x = 1;
    __VERIFIER_assume(x == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, stopped, 0);
    pthread_join(t, 0);
    assert(0);
    return 0;
}
