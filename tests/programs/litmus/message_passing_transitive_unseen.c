// ISA2 where the middle thread has not seen the message.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

int x, y, z, a, b, c;

void *thread1(void *arg) {
    x = 1;
    y = 1;
    return 0;
}

void *thread2(void *arg) {
    a = y;
    z = 1;
    return 0;
}

void *thread3(void *arg) {
    b = z;
    c = x;
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
    assert(!(a == 0 && b == 1 && c == 0)); // VIOLATION
    return 0;
}
