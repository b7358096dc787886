// Whoever waits for himself is let go by an initialisation, which orders nothing.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;
pthread_mutex_t m;

void *initialises(void *arg) {
    x = 1; // RACE
    pthread_mutex_init(&m, 0); // RACE
    return 0;
}

void *locks_twice(void *arg) {
    pthread_mutex_lock(&m); // RACE
    pthread_mutex_lock(&m); // RACE
    x = 2; // RACE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, locks_twice, 0);
    pthread_create(&b, 0, initialises, 0);
    return 0;
}
