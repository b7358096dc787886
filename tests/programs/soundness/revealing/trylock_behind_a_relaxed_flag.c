// A lock orders who takes it, whatever the flag that was read before.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data, flag;

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    data = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED) && pthread_mutex_trylock(&m) == 0) {
        data = 2;
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    return 0;
}
