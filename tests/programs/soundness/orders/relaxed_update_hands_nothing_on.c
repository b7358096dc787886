// A relaxed read-modify-write hands on what it goes on with, not what its own thread did.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
int data, more;
int flag;

void *first(void *arg) {
    data = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return 0;
}

void *second(void *arg) {
    more = 1; // RACE
    __atomic_fetch_add(&flag, 1, __ATOMIC_RELAXED);
    return 0;
}

void *third(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 2) {
        data = 2;
        more = 2; // RACE
    }
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
