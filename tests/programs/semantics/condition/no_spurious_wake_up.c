// Without a loop around the wait, and without spurious wake-ups: a waiter is woken only by a signal.
// OPTION no-spurious-wakeups
// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *consumer(void *arg) {
    pthread_mutex_lock(&m);
    if (!ready) {
        assert(pthread_cond_wait(&c, &m) == 0);
        assert(ready);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, consumer, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
