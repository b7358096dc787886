// The writer signals without the mutex.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int full;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *first(void *arg) {
    full = 1; // RACE
    pthread_cond_signal(&c);
    return 0;
}

void *second(void *arg) {
    pthread_mutex_lock(&m);
    if (!full) // RACE
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
