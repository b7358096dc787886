// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_spinlock_t s;
int x;

void *worker(void *arg) {
    pthread_spin_trylock(&s);
    x++; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&s, 0);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
