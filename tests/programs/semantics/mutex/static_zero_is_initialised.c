// A mutex in static storage without an initialiser is all zero, which is what PTHREAD_MUTEX_INITIALIZER is.
// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>

pthread_mutex_t bare;
static pthread_mutex_t initialised = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&bare);
    pthread_mutex_lock(&initialised);
    pthread_mutex_unlock(&initialised);
    pthread_mutex_unlock(&bare);
    return 0;
}
