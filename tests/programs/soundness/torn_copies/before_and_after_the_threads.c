// Nothing is torn before the thread is created and after it has been joined, and nothing in its own variables.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
    int left, right;
} shared;

static void *copy(void *unused) {
    struct pair own;
    memcpy(&own, &shared, sizeof own);
    assert(own.left == own.right);
    return unused;
}

int main(void) {
    pthread_t thread;
    memset(&shared, 1, sizeof shared);
    pthread_create(&thread, 0, copy, 0);
    pthread_join(thread, 0);
    memset(&shared, 2, sizeof shared);
    assert(shared.left == shared.right);
    return 0;
}
