// Main and one thread with 2 independent steps each: C(4, 2) executions.
// EXPECT proved
// EXECUTIONS 6
#include <pthread.h>
#include <assert.h>

int x, y;

void *worker(void *arg) {
    x = 1;
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    y = 1;
    y = 1;
    pthread_join(t, 0);
    assert(x == 1 && y == 1);
    return 0;
}
