// Relocking a normal mutex blocks for ever, even while another thread runs on.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // VIOLATION
    return 0;
}
