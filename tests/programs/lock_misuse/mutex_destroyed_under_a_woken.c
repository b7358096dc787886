// The sleeper is woken when its mutex is gone.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waits;

void *f(void *arg) {
    pthread_mutex_lock(&m); // VIOLATION
    waits = 1;
    pthread_cond_wait(&c, &m); // VIOLATION
    pthread_mutex_unlock(&m); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    int asleep = waits;
    pthread_mutex_unlock(&m);
    if (asleep) {
        pthread_mutex_destroy(&m); // VIOLATION
        pthread_cond_signal(&c);
        pthread_join(t, 0);
    }
    return 0;
}
