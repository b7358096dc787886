// The thread ends inside of a function, before it has kept what it allocated.
// PROPERTY valid-memtrack
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *kept;

static void may_end(void) {
    if (__VERIFIER_nondet_int())
        pthread_exit(0);
}

void *worker(void *unused) {
    int *made = malloc(4); // VIOLATION
    may_end();
    kept = made;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
