// The handler is taken away before the thread ends: nobody releases the lock.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void release(void *mutex) {
    pthread_mutex_unlock(mutex);
}

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(release, &lock);
    pthread_cleanup_pop(0);
    pthread_exit(unused);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&lock); // VIOLATION
    return 0;
}
