// A lock by a relaxed compare-exchange.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
int data;
int flag;

void *first(void *arg) {
    int expected = 0;
    if (__atomic_compare_exchange_n(&flag, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        data++; // RACE
        __atomic_store_n(&flag, 0, __ATOMIC_RELEASE);
    }
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, first, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
