// Opposite orders, but the second lock is only tried.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *g(void *arg) {
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) == 0) {
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
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
