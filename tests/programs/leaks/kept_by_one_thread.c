// A thread of which there is one keeps what it allocates, while others loop.
// PROPERTY valid-memtrack
// EXPECT unbounded
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *_Atomic kept;

void *maker(void *unused) {
    int *made = malloc(4);
    *made = 0;
    kept = made;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, maker, 0);
    while (__VERIFIER_nondet_int())
        if (kept)
            *kept = 1;
    return 0;
}
