// The shape R: a write between a write and a stale read.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x, y, a;

void *thread1(void *arg) {
    x = 1;
    y = 1;
    return 0;
}

void *thread2(void *arg) {
    y = 2;
    a = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(y == 2 && a == 0));
    return 0;
}
