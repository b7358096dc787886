// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>
extern void __VERIFIER_assume(int);

volatile int never;

void *worker(void *arg) {
    __VERIFIER_assume(never);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
