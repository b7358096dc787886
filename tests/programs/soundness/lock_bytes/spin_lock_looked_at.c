// A spin lock is a number that may be read, but not while others lock it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_spinlock_t lock;
int busy;

void *first(void *unused) {
    pthread_spin_lock(&lock);   // RACE
    pthread_spin_unlock(&lock); // RACE
    return 0;
}

void *second(void *unused) {
    if (lock == 0) // RACE
        busy = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&lock, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
