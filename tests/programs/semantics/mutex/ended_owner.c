// A thread that ends while it holds a mutex blocks those who want it: a local deadlock.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *holder(void *arg) {
    pthread_mutex_lock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, holder, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&m); // VIOLATION
    return 0;
}
