// The kind was never set: relocking the normal mutex blocks.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m;

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutex_init(&m, &attributes);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // VIOLATION
    return 0;
}
