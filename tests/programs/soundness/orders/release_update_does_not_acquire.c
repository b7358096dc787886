// A release read-modify-write does not acquire.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int data;
int flag;

void *first(void *arg) {
    data = 1; // RACE
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return 0;
}

void *second(void *arg) {
    if (__atomic_fetch_add(&flag, 2, __ATOMIC_RELEASE) == 1) data = 2; // RACE
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
