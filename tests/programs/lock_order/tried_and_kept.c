// What was only tried is held all the same: who then waits for the other lock waits against the order.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *forwards(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // VIOLATION
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, forwards, 0);
    if (pthread_mutex_trylock(&b) == 0) {
        pthread_mutex_lock(&a); // VIOLATION
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    return 0;
}
