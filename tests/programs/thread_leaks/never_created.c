// What was not created is not left behind.
// PROPERTY no-thread-leak
// EXPECT proved
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return 0; }

int main(void) {
    pthread_t t;
    int creates = __VERIFIER_nondet_int();
    if (creates)
        pthread_create(&t, 0, worker, 0);
    if (creates)
        pthread_join(t, 0);
    return 0;
}
