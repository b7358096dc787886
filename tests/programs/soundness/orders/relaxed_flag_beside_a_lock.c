// A relaxed flag reveals, an unrelated lock in between orders nothing.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
int data;
int flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    data = 1; // RACE
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

void *second(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED)) data = 2; // RACE
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
