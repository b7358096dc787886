// As spin_locks_crossed, in one order.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

pthread_spinlock_t a, b;

void *f(void *arg) {
    pthread_spin_lock(&a);
    pthread_spin_lock(&b);
    pthread_spin_unlock(&b);
    pthread_spin_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_spin_init(&a, 0);
    pthread_spin_init(&b, 0);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
