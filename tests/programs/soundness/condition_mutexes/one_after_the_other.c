// With one mutex after the other is no misuse.
// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *first(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

static void *second(void *arg) {
    pthread_mutex_lock(&n);
    pthread_cond_wait(&c, &n);
    pthread_mutex_unlock(&n);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, second, 0);
    return 0;
}
