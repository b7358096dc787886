// The access is where the attempt has failed.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        x++; // VIOLATION
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *second(void *arg) {
    if (pthread_mutex_trylock(&m) != 0) {
        x++; // VIOLATION
    }
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
