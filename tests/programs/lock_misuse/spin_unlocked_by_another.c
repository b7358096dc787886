// Only one of the two can hold it.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_spinlock_t s;

void *f(void *arg) {
    pthread_spin_lock(&s);
    pthread_spin_unlock(&s); // VIOLATION
    return 0;
}

void *g(void *arg) {
    pthread_spin_unlock(&s); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_spin_init(&s, 0);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
