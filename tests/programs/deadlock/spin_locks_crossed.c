// Spin locks block like mutexes.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_spinlock_t a, b;

void *f(void *arg) {
    pthread_spin_lock(&a);
    pthread_spin_lock(&b); // VIOLATION
    pthread_spin_unlock(&b);
    pthread_spin_unlock(&a);
    return 0;
}

void *g(void *arg) {
    pthread_spin_lock(&b);
    pthread_spin_lock(&a); // VIOLATION
    pthread_spin_unlock(&a);
    pthread_spin_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_spin_init(&a, 0);
    pthread_spin_init(&b, 0);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
