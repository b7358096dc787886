// One flag of an array is released, another is relaxed.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int data[2];
int flag[2];

void *first(void *arg) {
    data[0] = 1;
    __atomic_store_n(&flag[0], 1, __ATOMIC_RELEASE);
    data[1] = 1; // RACE
    __atomic_store_n(&flag[1], 1, __ATOMIC_RELAXED);
    return 0;
}

void *second(void *arg) {
    if (__atomic_load_n(&flag[0], __ATOMIC_ACQUIRE)) data[0] = 2;
    if (__atomic_load_n(&flag[1], __ATOMIC_ACQUIRE)) data[1] = 2; // RACE
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
