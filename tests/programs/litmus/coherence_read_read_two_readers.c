// Two readers agree on the order of two writes (CoRR2).
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x, a, b, c, d;

void *thread1(void *arg) {
    x = 1;
    return 0;
}

void *thread2(void *arg) {
    x = 2;
    return 0;
}

void *thread3(void *arg) {
    a = x;
    b = x;
    return 0;
}

void *thread4(void *arg) {
    c = x;
    d = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3, t4;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_create(&t3, 0, thread3, 0);
    pthread_create(&t4, 0, thread4, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    pthread_join(t4, 0);
    assert(!(a == 1 && b == 2 && c == 2 && d == 1));
    return 0;
}
