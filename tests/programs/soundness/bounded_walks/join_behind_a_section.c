// If the creation fails, the handle is unknown: the walk parts where the join looks at it, right behind an atomic section, which
// must not begin again.
// OPTION create-may-fail
// EXPECT violated
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, zero;

static void *worker(void *arg) {
    return (void *)(long)(1 / zero);
}

int main(void) {
    pthread_t thread = 0;
    pthread_create(&thread, 0, worker, 0);
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    assert(0); // VIOLATION
    return 0;
}
