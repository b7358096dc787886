// An assertion fails in an atomic section that other steps of the same thread follow.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;

static void *idle(void *arg) {
    return 0;
}

static void *counter(void *arg) {
    x++;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, counter, 0);
    pthread_create(&second, 0, idle, 0);
    __VERIFIER_atomic_begin();
    assert(!x); // VIOLATION
    __VERIFIER_atomic_end();
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
