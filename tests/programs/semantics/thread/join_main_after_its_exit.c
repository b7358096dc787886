// The main thread can be joined, too, once it has called pthread_exit.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_t creator;
int x;

void *worker(void *arg) {
    void *result;
    assert(pthread_join(creator, &result) == 0);
    assert(x == 1 && result == &x);
    return 0;
}

int main(void) {
    pthread_t t;
    creator = pthread_self();
    pthread_create(&t, 0, worker, 0);
    x = 1;
    pthread_exit(&x);
}
