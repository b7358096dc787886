// The inner lock, only ever taken under the outer one, is never given back.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&outer); // VIOLATION
    pthread_mutex_lock(&inner); // VIOLATION
    pthread_mutex_unlock(&outer);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
