// The copy of a held mutex is held: taking it deadlocks.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b;

int main(void) {
    pthread_mutex_lock(&a);
    b = a;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b); // VIOLATION
    return 0;
}
