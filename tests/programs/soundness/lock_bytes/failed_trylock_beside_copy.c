// A `trylock` that cannot succeed changes nothing.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <string.h>

pthread_spinlock_t lock;

void *try(void *unused) {
    pthread_spin_trylock(&lock); // NORACE
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_spinlock_t copy;
    pthread_spin_init(&lock, 0);
    pthread_spin_lock(&lock);
    pthread_create(&thread, 0, try, 0);
    memcpy((void *)&copy, (void *)&lock, sizeof lock); // NORACE
    pthread_join(thread, 0);
    return 0;
}
