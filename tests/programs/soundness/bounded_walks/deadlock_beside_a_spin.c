// One thread spins for ever, the other deadlocks with itself: within any bound of the loop.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

int flag;
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    if (pthread_mutex_trylock(&first) == 0) {
        while (!flag) {
        }
        pthread_mutex_unlock(&first);
    }
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&second); // VIOLATION
    pthread_mutex_unlock(&second);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    return 0;
}
