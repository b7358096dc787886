// A locked mutex is copied into plain memory and back again after it was unlocked: it is locked again.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
#include <string.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char aside[sizeof mutex];

int main(void) {
    pthread_mutex_lock(&mutex);
    memcpy(aside, &mutex, sizeof mutex);
    pthread_mutex_unlock(&mutex);
    memcpy(&mutex, aside, sizeof mutex);
    pthread_mutex_lock(&mutex); // VIOLATION
    return 0;
}
