// A thread-local pointer begins with an address in every thread.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

static int number;
static __thread int *pointer = &number;

static void *look(void *arg) {
    assert(pointer == 0); // VIOLATION
    return 0;
}

int main(void) {
    assert(pointer != 0);
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, 0);
    return 0;
}
