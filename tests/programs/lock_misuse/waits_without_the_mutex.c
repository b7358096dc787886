// The wait is outside of the lock.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *f(void *arg) {
    pthread_cond_wait(&c, &m); // VIOLATION
    return 0;
}

void *g(void *arg) {
    pthread_cond_signal(&c);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    return 0;
}
