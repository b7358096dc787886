// A copy reads the first number before, the second one after another thread has written both.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <pthread.h>
#include <string.h>

int nondet_int(void);
int shared[2];

static void *write_both(void *unused) {
    shared[0] = 1;
    shared[1] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    int seen[2];
    if (nondet_int() != 123456) return 0;
    pthread_create(&thread, 0, write_both, 0);
    memcpy(seen, shared, sizeof seen);
    assert(seen[0] == 1 || seen[1] == 0); // VIOLATION
    pthread_join(thread, 0);
    return 0;
}
