// As join_while_holding, with the lock given back first.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, f, 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
