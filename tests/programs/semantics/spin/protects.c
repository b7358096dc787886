// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

pthread_spinlock_t s;
int x;

void *worker(void *arg) {
    pthread_spin_lock(&s);
    x++;
    pthread_spin_unlock(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    pthread_spin_destroy(&s);
    return 0;
}
