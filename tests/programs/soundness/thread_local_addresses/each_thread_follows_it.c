// As initial_address.c; what it leads to is the same object for all.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

static int number;
static __thread int *pointer = &number;

static void *write(void *arg) {
    *pointer = 3;
    pointer = 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write, 0);
    pthread_join(thread, 0);
    assert(pointer == &number && number == 3);
    return 0;
}
