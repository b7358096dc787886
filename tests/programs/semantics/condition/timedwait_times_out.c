// Nobody signals: a timed wait returns ETIMEDOUT with the mutex held, and nothing deadlocks.
// EXPECT proved
// OPTION no-spurious-wakeups
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec soon;

int main(void) {
    pthread_mutex_lock(&m);
    assert(pthread_cond_timedwait(&c, &m, &soon) == ETIMEDOUT);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    pthread_mutex_unlock(&m);
    return 0;
}
