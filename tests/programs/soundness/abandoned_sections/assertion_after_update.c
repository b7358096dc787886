// As assertion_before_joins.c, with a section of another thread that is not abandoned.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x = 2;

static void *updater(void *arg) {
    __VERIFIER_atomic_begin();
    __atomic_fetch_add(&x, 3, __ATOMIC_SEQ_CST);
    __VERIFIER_atomic_end();
    return 0;
}

static void *writer(void *arg) {
    x = 0;
    x = 0;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, updater, 0);
    __VERIFIER_atomic_begin();
    assert(x != 2); // VIOLATION
    __VERIFIER_atomic_end();
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
