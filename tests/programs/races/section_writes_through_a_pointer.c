// A section that writes through a pointer, beside accesses ordered by a join.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;
int *p = &y;

void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    *p = 1; // NORACE
    p = &x;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return *p; // NORACE
}
