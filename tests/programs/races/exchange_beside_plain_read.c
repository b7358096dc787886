// A compare-exchange that succeeds writes.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>

int state;

void *first(void *arg) {
    int expected = 0;
    __atomic_compare_exchange_n(&state, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); // RACE
    return 0;
}

void *second(void *arg) {
    int seen = state; // RACE
    (void)seen;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
