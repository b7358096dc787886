// A read does not see the write of its own thread that follows it (CoRW).
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x, a;

void *thread1(void *arg) {
    a = x;
    x = 1;
    return 0;
}

void *thread2(void *arg) {
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(a == 1));
    return 0;
}
