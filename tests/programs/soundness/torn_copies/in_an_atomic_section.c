// An atomic section makes a copy whole.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <string.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int shared[3], ones[3] = {1, 1, 1};

static void *copy(void *unused) {
    __VERIFIER_atomic_begin();
    memcpy(shared, ones, sizeof shared);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    int seen[3];
    pthread_create(&thread, 0, copy, 0);
    __VERIFIER_atomic_begin();
    memcpy(seen, shared, sizeof seen);
    __VERIFIER_atomic_end();
    assert(seen[0] == seen[2]);
    pthread_join(thread, 0);
    return 0;
}
