// A release fence before a relaxed store, and an acquire load.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int data;
int flag;

void *first(void *arg) {
    data = 1;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return 0;
}

void *second(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) data = 2;
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
