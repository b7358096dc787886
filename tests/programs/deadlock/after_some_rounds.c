// The order turns around in the third round.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second); // VIOLATION
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

void *f(void *arg) {
    both(&a, &b);
    return 0;
}

void *g(void *arg) {
    for (int i = 0; i < 3; i++)
        both(i < 2 ? &a : &b, i < 2 ? &b : &a);
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
