// The function behind a pointer locks.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void safe(void) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
}

void (*action)(void) = safe;

void *first(void *arg) {
    action();
    return 0;
}

void *second(void *arg) {
    action();
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
