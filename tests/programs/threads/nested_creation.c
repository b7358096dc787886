// A thread starts another and waits for it.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x;

void *inner(void *arg) {
    x = x + 2;
    return 0;
}

void *outer(void *arg) {
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, inner, 0);
    pthread_join(t, 0);
    assert(x == 3);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, outer, 0);
    pthread_join(t, 0);
    assert(x == 3);
    return 0;
}
