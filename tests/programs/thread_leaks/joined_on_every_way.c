// Joined on one way, detached on the other.
// PROPERTY no-thread-leak
// EXPECT proved
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return 0; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (__VERIFIER_nondet_int())
        pthread_join(t, 0);
    else
        pthread_detach(t);
    return 0;
}
