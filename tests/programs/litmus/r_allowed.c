// The shape R with the other order of writes.
// EXPECT violated
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
    assert(!(y == 1 && a == 0)); // VIOLATION
    return 0;
}
