// The access comes after the spin lock is given back.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;
pthread_spinlock_t s;

void *first(void *arg) {
    pthread_spin_lock(&s);
    x++; // VIOLATION
    pthread_spin_unlock(&s);
    return 0;
}

void *second(void *arg) {
    pthread_spin_lock(&s);
    pthread_spin_unlock(&s);
    x++; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_spin_init(&s, 0);
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
