// Message passing with a relaxed flag: a fence that is release before the store, one that is release after the load.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int data;
int flag;

void *first(void *arg) {
    data = 1; // RACE
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return 0;
}

void *second(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED)) {
        __atomic_thread_fence(__ATOMIC_RELEASE);
        data = 2; // RACE
    }
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
