// The section fails an assertion after a write that races.
// PROPERTY no-data-race
// EXPECT violated
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int row[3];

static void *writer(void *arg) {
    __VERIFIER_atomic_begin();
    row[1] = 2; // RACE
    assert(row[1] == 1);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int seen = row[1]; // RACE
    pthread_join(thread, 0);
    return seen;
}
