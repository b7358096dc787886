// A compare-exchange that fails acquires if its failure order says so.
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
    int expected = 0;
    if (!__atomic_compare_exchange_n(&flag, &expected, 0, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) data = 2;
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
