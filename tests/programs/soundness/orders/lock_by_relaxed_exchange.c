// A lock by a relaxed exchange.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
int data;
int flag;

void *first(void *arg) {
    if (__atomic_exchange_n(&flag, 1, __ATOMIC_RELAXED) == 0) {
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
