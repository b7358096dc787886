// The store of another thread lies between: the second store of the first goes on with nothing.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int data;
int flag;
int seen;

void *first(void *arg) {
    data = 1; // RACE
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    if (__atomic_load_n(&seen, __ATOMIC_RELAXED)) __atomic_store_n(&flag, 3, __ATOMIC_RELAXED);
    return 0;
}

void *second(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 1) {
        __atomic_store_n(&flag, 2, __ATOMIC_RELAXED);
        __atomic_store_n(&seen, 1, __ATOMIC_RELAXED);
    }
    return 0;
}

void *third(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 3) data = 2; // RACE
    return 0;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_create(&t[2], 0, third, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    return 0;
}
