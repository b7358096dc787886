// What is acquired is handed on by a later release.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int data;
int one, two;

void *first(void *arg) {
    data = 1;
    __atomic_store_n(&one, 1, __ATOMIC_RELEASE);
    return 0;
}

void *second(void *arg) {
    if (__atomic_load_n(&one, __ATOMIC_ACQUIRE)) __atomic_store_n(&two, 1, __ATOMIC_RELEASE);
    return 0;
}

void *third(void *arg) {
    if (__atomic_load_n(&two, __ATOMIC_ACQUIRE)) data = 2;
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
