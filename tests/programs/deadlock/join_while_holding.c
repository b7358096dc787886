// Main joins a thread that needs the lock that main holds.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&m); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}
