// Write to write causality (WWC).
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x, y, a, b;

void *thread1(void *arg) {
    x = 2;
    return 0;
}

void *thread2(void *arg) {
    a = x;
    y = 1;
    return 0;
}

void *thread3(void *arg) {
    b = y;
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_create(&t3, 0, thread3, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    assert(!(a == 2 && b == 1 && x == 2));
    return 0;
}
