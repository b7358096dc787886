// A copy of a locked mutex is locked, and stays so when the original is unlocked.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b;

int main(void) {
    pthread_mutex_lock(&a);
    b = a;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // VIOLATION
    return 0;
}
