// A thread initialises the mutex while the other may hold it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;
pthread_mutex_t m;

void *first(void *arg) {
    pthread_mutex_lock(&m); // VIOLATION
    x++; // VIOLATION
    pthread_mutex_unlock(&m); // VIOLATION
    return 0;
}

void *second(void *arg) {
    pthread_mutex_init(&m, 0); // VIOLATION
    pthread_mutex_lock(&m);
    x++; // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_mutex_init(&m, 0);
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
