// A mutex used as a signal: whoever locks a mutex again waits for itself, although another thread would unlock it.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
