// A timed lock gets the mutex or times out.
// EXPECT proved
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon;
int x;

void *worker(void *arg) {
    int got = pthread_mutex_timedlock(&m, &soon);
    assert(got == 0 || got == ETIMEDOUT);
    if (got == 0) {
        x++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    int before = x;
    int after = x;
    assert(before == after);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
