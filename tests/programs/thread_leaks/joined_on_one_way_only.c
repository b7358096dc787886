// PROPERTY no-thread-leak
// EXPECT violated
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return 0; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0); // VIOLATION
    if (__VERIFIER_nondet_int())
        pthread_join(t, 0);
    return 0;
}
