// What is done before a creation is ordered before the thread, what is done after it is not.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
int before, after, flag;

void *worker(void *arg) {
    before = 2;
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED)) after = 2; // RACE
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t;
    before = 1;
    pthread_create(&t, 0, worker, 0);
    after = 1; // RACE
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    pthread_join(t, 0);
    return 0;
}
