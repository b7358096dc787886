// The seventieth thread waits for a lock of the one before, which has ended.
// PROPERTY no-deadlock
// EXPECT violated
// ENGINES unknown they follow 64 threads at most
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *idle(void *arg) {
    return 0;
}

void *locks(void *arg) {
    pthread_mutex_lock(&m); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 68; i++) {
        pthread_create(&t, 0, idle, 0);
        pthread_join(t, 0);
    }
    pthread_create(&t, 0, locks, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, locks, 0);
    pthread_join(t, 0);
    return 0;
}
