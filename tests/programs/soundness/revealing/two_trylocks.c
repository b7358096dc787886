// Two attempts at two locks, with an unrelated lock around the accesses.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int data;

void *worker(void *arg) {
    data = 1; // RACE
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    pthread_mutex_lock(&b);
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (pthread_mutex_trylock(&a) != 0 && pthread_mutex_trylock(&b) != 0) {
        data = 2; // RACE
    }
    return 0;
}
