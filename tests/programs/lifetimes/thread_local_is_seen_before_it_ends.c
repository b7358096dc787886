// A thread-local variable lives until its thread ends.
// PROPERTY assert
// EXPECT violated
#include <pthread.h>
#include <assert.h>

__thread int own;
int *shared;
int seen;
void *worker(void *arg) {
    own = 7;
    shared = &own;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int *p = shared;
    if (p)
        seen = *p;
    assert(seen != 7); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
