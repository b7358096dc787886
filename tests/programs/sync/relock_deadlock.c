// Relocking a normal mutex is a deadlock of one.
// PROPERTY no-deadlock
// Main, which joins, is one of those that wait for ever.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // VIOLATION
    return 0;
}

void *second(void *arg) {
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0); // VIOLATION
    pthread_join(t2, 0); // VIOLATION
    return 0;
}
