// A lock that is given back by a relaxed store.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int data;
int flag;

void *first(void *arg) {
    if (__atomic_exchange_n(&flag, 1, __ATOMIC_ACQUIRE) == 0) {
        data++; // RACE
        __atomic_store_n(&flag, 0, __ATOMIC_RELAXED);
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
