// Initialising a lock is a write to it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_spinlock_t s;

static void *other(void *arg) {
    pthread_spin_lock(&s); // RACE
    pthread_spin_unlock(&s); // RACE
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_spin_init(&s, 0); // RACE
    pthread_join(t, 0);
    return 0;
}
