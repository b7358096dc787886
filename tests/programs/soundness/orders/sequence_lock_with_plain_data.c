// A sequence lock around plain data races.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int data;
int flag;

void *first(void *arg) {
    __atomic_fetch_add(&flag, 1, __ATOMIC_ACQ_REL);
    data = 1; // RACE
    __atomic_fetch_add(&flag, 1, __ATOMIC_ACQ_REL);
    return 0;
}

void *second(void *arg) {
    int before = __atomic_load_n(&flag, __ATOMIC_ACQUIRE);
    int seen = data; // RACE
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (before == __atomic_load_n(&flag, __ATOMIC_RELAXED) && before % 2 == 0 && seen > 1) return arg;
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
