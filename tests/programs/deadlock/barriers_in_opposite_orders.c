// Each waits at the barrier that the other comes to second.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_barrier_t a, b;

void *f(void *arg) {
    pthread_barrier_wait(&a); // VIOLATION
    pthread_barrier_wait(&b);
    return 0;
}

void *g(void *arg) {
    pthread_barrier_wait(&b); // VIOLATION
    pthread_barrier_wait(&a);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_barrier_init(&a, 0, 2);
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
