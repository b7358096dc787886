// The section reads the local of a thread whose address another section has published, and its assertion ends the process: the end
// of the local can only come before, and nothing orders it.
// PROPERTY no-data-race
// EXPECT violated
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int first;
int *published = &first;

static void *publisher(void *arg) {
    int own = 0;
    __VERIFIER_atomic_begin();
    published = &own;
    __VERIFIER_atomic_end();
    return 0; // VIOLATION
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publisher, 0);
    __VERIFIER_atomic_begin();
    assert(*published); // VIOLATION
    __VERIFIER_atomic_end();
    return 0;
}
