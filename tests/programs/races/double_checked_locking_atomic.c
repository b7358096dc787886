// With an atomic pointer the first look is fine, and orders what lies behind it.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdatomic.h>

int object;
_Atomic(int *) instance;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int use(void) {
    if (!atomic_load(&instance)) {
        pthread_mutex_lock(&m);
        if (!atomic_load(&instance)) {
            object = 7; // NORACE
            atomic_store(&instance, &object);
        }
        pthread_mutex_unlock(&m);
    }
    return *atomic_load(&instance); // NORACE
}

void *first(void *arg) {
    use();
    return 0;
}

void *second(void *arg) {
    use();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
