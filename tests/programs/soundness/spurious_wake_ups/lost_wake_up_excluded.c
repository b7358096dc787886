// Nothing makes a waiter wake up spuriously: a signal that is lost is a deadlock.
// PROPERTY no-deadlock
// OPTION no-spurious-wakeups
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

static void *consumer(void *arg) {
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, consumer, 0);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_join(t, 0); // VIOLATION
    return 0;
}
