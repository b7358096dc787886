// What is acquired is handed on by a later release; the relaxed flag between is of no help.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
int data;
int one, two;

void *first(void *arg) {
    data = 1; // RACE
    __atomic_store_n(&one, 1, __ATOMIC_RELEASE);
    return 0;
}

void *second(void *arg) {
    if (__atomic_load_n(&one, __ATOMIC_RELAXED)) __atomic_store_n(&two, 1, __ATOMIC_RELEASE);
    return 0;
}

void *third(void *arg) {
    if (__atomic_load_n(&two, __ATOMIC_ACQUIRE)) data = 2; // RACE
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[3];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_create(&t[2], 0, third, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    return 0;
}
