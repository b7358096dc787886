// Two relaxed read-modify-writes go on with a release sequence.
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
    __atomic_fetch_add(&flag, 1, __ATOMIC_RELAXED);
    return 0;
}

void *third(void *arg) {
    if (__atomic_fetch_add(&flag, 1, __ATOMIC_RELAXED) == 2) { }
    return 0;
}

void *fourth(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 3) data = 2;
    return 0;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_create(&t[2], 0, third, 0);
    pthread_create(&t[3], 0, fourth, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    pthread_join(t[3], 0);
    return 0;
}
