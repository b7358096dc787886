// A lock by a compare-exchange that acquires if it succeeds and is relaxed if it fails.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int data;
int flag;

void *first(void *arg) {
    int expected = 0;
    if (__atomic_compare_exchange_n(&flag, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        data++;
        __atomic_store_n(&flag, 0, __ATOMIC_RELEASE);
    }
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, first, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
