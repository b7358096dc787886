// Waiting without looking first: the signal may have passed; then the thread waits for ever.
// PROPERTY no-deadlock
// Main, which joins, is one of those that wait for ever.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *first(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

void *second(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0); // VIOLATION
    pthread_join(t2, 0); // VIOLATION
    return 0;
}
