// Timed waits never block, not even in a crossed order.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon;

void *worker(void *arg) {
    pthread_mutex_lock(&n);
    if (pthread_mutex_timedlock(&m, &soon) == 0) pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    if (pthread_mutex_timedlock(&n, &soon) == 0) pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
