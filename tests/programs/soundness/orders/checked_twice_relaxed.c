// Double-checked initialisation with a relaxed first check.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
int data;
int flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    if (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) {
        pthread_mutex_lock(&m);
        if (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) {
            data = 1; // RACE
            __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&m);
    }
    int seen = data; // RACE
    return seen ? 0 : arg;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, first, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
