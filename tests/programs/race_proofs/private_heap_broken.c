// The object is known to the other thread when it is written.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int *shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    int *p = malloc(sizeof *p);
    *p = 1;
    pthread_mutex_lock(&m);
    shared = p;
    pthread_mutex_unlock(&m);
    *p = 2; // VIOLATION
    return 0;
}

void *second(void *arg) {
    pthread_mutex_lock(&m);
    int *q = shared;
    pthread_mutex_unlock(&m);
    if (q)
        *q = 3; // VIOLATION
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
