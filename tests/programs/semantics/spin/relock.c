// Waiting for a spin lock counts as blocked.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_spinlock_t s;

int main(void) {
    pthread_spin_init(&s, 0);
    pthread_spin_lock(&s);
    pthread_spin_lock(&s); // VIOLATION
    return 0;
}
