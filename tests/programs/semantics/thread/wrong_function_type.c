// A thread function that takes nothing works on the platforms that we model.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x;

void worker(void) { x = 1; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, (void *(*)(void *))worker, 0);
    pthread_join(t, 0);
    assert(x == 1);
    return 0;
}
