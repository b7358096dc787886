// A priority protocol is no lock: the other thread does not take the mutex.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

pthread_mutex_t m;
int x;

void *worker(void *arg) {
    x = x + 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE);
    pthread_mutex_init(&m, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    x = x + 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(x == 2); // VIOLATION
    return 0;
}
