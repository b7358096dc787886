// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x, y, r1, r2, r3;

void *thread1(void *arg) {
    x = 1;
    return 0;
}

void *thread2(void *arg) {
    r1 = x;
    y = 1;
    return 0;
}

void *thread3(void *arg) {
    r2 = y;
    r3 = x;
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
    assert(!(r1 == 1 && r2 == 1 && r3 == 0));
    return 0;
}
