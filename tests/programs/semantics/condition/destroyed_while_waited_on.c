// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    pthread_cond_destroy(&c); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}
