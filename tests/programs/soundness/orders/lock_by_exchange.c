// A lock by an acquire exchange and a release store.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int data;
int flag;

void *first(void *arg) {
    if (__atomic_exchange_n(&flag, 1, __ATOMIC_ACQUIRE) == 0) {
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
