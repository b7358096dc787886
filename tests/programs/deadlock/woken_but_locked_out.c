// The waiter is woken, but the mutex is never given back.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *f(void *arg) {
    pthread_mutex_lock(&m); // VIOLATION
    while (!ready)
        pthread_cond_wait(&c, &m); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

void *g(void *arg) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
