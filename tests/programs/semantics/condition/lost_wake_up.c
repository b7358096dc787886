// The flag is set and signalled without the mutex: the signal can come between the look and the wait.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
atomic_int ready;

void *consumer(void *arg) {
    pthread_mutex_lock(&m);
    if (!ready) pthread_cond_wait(&c, &m); // VIOLATION
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
