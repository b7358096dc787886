// The first thread has taken and released another lock since; that orders nothing here either.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    x = 1; // RACE
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_lock(&m);
    return 0;
}

void *second(void *arg) {
    if (pthread_mutex_trylock(&m) != 0)
        x = 2; // RACE
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
