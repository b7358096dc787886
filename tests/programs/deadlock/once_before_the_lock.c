// As once_under_a_lock, repaired.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT;

void initialise(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

void *f(void *arg) {
    pthread_once(&once, initialise);
    return 0;
}

void *g(void *arg) {
    pthread_once(&once, initialise);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
