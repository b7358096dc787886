// As barriers_in_opposite_orders, repaired.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

pthread_barrier_t a, b;

void *f(void *arg) {
    pthread_barrier_wait(&a);
    pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_barrier_init(&a, 0, 2);
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
