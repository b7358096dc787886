// The same, but the copy is made after the lock was given back.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>

pthread_spinlock_t lock;

void *first(void *unused) {
    pthread_spinlock_t copy;
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    memcpy((void *)&copy, (void *)&lock, sizeof lock); // RACE
    return 0;
}

void *second(void *unused) {
    pthread_spin_lock(&lock);   // RACE
    pthread_spin_unlock(&lock); // RACE
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
