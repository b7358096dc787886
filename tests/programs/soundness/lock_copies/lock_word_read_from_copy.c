// Whoever looks at the copy of a locked mutex finds that it is locked.
// PROPERTY no-deadlock
// EXPECT unknown
#include <pthread.h>
#include <string.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    int words[sizeof(pthread_mutex_t) / sizeof(int)];
    pthread_mutex_lock(&mutex);
    memcpy(words, &mutex, sizeof mutex);
    if (words[0] != 0)
        pthread_mutex_lock(&mutex);
    return 0;
}
