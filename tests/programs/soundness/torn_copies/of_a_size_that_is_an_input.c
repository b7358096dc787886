// A block whose size is not constant is torn, too.
// EXPECT violated
// NONDET 8..8
#include <assert.h>
#include <pthread.h>
#include <string.h>

int nondet_int(void);
int shared[2];

static void *set(void *unused) {
    unsigned size = nondet_int();
    if (size == 8) memset(shared, 1, size);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    int second = shared[1], first = shared[0];
    assert(!(second == 0 && first != 0)); // VIOLATION
    pthread_join(thread, 0);
    return 0;
}
