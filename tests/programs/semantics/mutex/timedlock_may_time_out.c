// Where the mutex is held meanwhile, the time-out must be reckoned with.
// EXPECT violated
#include <pthread.h>
#include <assert.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon;

void *worker(void *arg) {
    assert(pthread_mutex_timedlock(&m, &soon) == 0); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
