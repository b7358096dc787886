// That main aborts does not keep another thread from failing before.
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>

void *worker(void *arg) {
    assert(0); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    abort();
}
