// Nobody looks at the result of the attempt.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    pthread_mutex_trylock(&m);
    x = 1; // VIOLATION
    return 0;
}

void *second(void *arg) {
    pthread_mutex_lock(&m);
    x = 2; // VIOLATION
    pthread_mutex_unlock(&m);
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
