// EXPECT violated
#include <pthread.h>
#include <assert.h>

int x, r1, r2;

void *first(void *arg) {
    r1 = __atomic_exchange_n(&x, 1, __ATOMIC_SEQ_CST);
    return 0;
}

void *second(void *arg) {
    r2 = __atomic_exchange_n(&x, 2, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(r1 == 2 && r2 == 0)); // VIOLATION
    return 0;
}
