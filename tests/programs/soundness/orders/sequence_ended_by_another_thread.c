// A relaxed store of another thread ends the release sequence, also one of a thread that has seen it.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
int data;
int flag;

void *first(void *arg) {
    data = 1; // RACE
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return 0;
}

void *second(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 1) __atomic_store_n(&flag, 2, __ATOMIC_RELAXED);
    return 0;
}

void *third(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 2) data = 2; // RACE
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
