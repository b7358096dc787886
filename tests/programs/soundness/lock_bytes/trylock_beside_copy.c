// A `trylock` that may succeed changes the mutex then.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, copy;

void *try(void *unused) {
    pthread_mutex_trylock(&mutex); // RACE
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, try, 0);
    copy = mutex; // RACE
    pthread_join(thread, 0);
    return 0;
}
