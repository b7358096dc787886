// Only in those interleavings in which the worker is inside.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m;

void *worker(void *arg) {
    pthread_mutex_lock(&m); // VIOLATION
    pthread_mutex_unlock(&m); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_init(&m, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_destroy(&m); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
