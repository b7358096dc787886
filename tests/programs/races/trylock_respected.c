// Who does not get the lock leaves the data alone.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    pthread_mutex_lock(&m);
    x++; // NORACE
    pthread_mutex_unlock(&m);
    return 0;
}

void *second(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        x++; // NORACE
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
