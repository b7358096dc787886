// memset, too, is seen half-finished; here in memory of the heap.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int nondet_int(void);
int *shared;

static void *clear(void *unused) {
    memset(shared, 0, 2 * sizeof(int));
    return unused;
}

int main(void) {
    pthread_t thread;
    if (nondet_int() != 123456) return 0;
    shared = malloc(2 * sizeof(int));
    shared[0] = shared[1] = 1;
    pthread_create(&thread, 0, clear, 0);
    int second = shared[1], first = shared[0];
    assert(!(second == 1 && first == 0)); // VIOLATION
    pthread_join(thread, 0);
    free(shared);
    return 0;
}
