// Main destroys the mutex while the thread may still use it.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&m); // VIOLATION
    pthread_mutex_unlock(&m); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_destroy(&m); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
