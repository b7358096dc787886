// The process never ends, so that nobody is left behind when it does.
// PROPERTY no-thread-leak
// EXPECT proved
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) { return 0; }

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    return 0;
}
