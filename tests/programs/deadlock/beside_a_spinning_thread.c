// Two threads block each other while a third one spins for ever.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
volatile int stop;

void *f(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // VIOLATION
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *g(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // VIOLATION
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

void *h(void *arg) {
    while (!stop)
        ;
    return 0;
}

int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_create(&v, 0, h, 0);
    return 0;
}
