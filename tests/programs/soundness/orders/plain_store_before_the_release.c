// A plain store to the flag itself comes before its release store; who acquires that is ordered after both.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int flag;
int seen;

void *first(void *arg) {
    flag = 5;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&seen, 1, __ATOMIC_RELAXED);
    return 0;
}

void *second(void *arg) {
    if (__atomic_load_n(&seen, __ATOMIC_RELAXED) && __atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 5) return arg;
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
