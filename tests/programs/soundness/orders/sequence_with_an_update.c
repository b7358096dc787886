// A relaxed read-modify-write of any thread goes on with a release sequence.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int data;
int flag;

void *first(void *arg) {
    data = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return 0;
}

void *second(void *arg) {
    int expected = 1;
    __atomic_compare_exchange_n(&flag, &expected, 2, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return 0;
}

void *third(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 2) data = 2;
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
