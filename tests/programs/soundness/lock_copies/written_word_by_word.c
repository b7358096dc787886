// A mutex that nobody has used yet is what its bytes say, also if they are written one word after the other.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

pthread_mutex_t mutex;

int main(void) {
    mutex.__data.__lock = 0;
    mutex.__data.__kind = 1;
    mutex.__data.__owner = 0;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return 0;
}
