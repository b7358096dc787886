// Each thread has its own copy of a thread-local variable, initialised as its definition says.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

_Thread_local int x = 5;
__thread int y;

void *worker(void *arg) {
    assert(x == 5 && y == 0);
    x = 7;
    y = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    x = 6;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 6 && y == 0);
    return 0;
}
