// The holder creates the thread that destroys the mutex, so that these two are in order; whoever waits is not.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m;

static void *destroyer(void *arg) {
    pthread_mutex_destroy(&m); // RACE
    return 0;
}

static void *waiter(void *arg) {
    pthread_mutex_lock(&m); // RACE
    pthread_mutex_unlock(&m); // RACE
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, waiter, 0);
    pthread_mutex_lock(&m);
    pthread_create(&second, 0, destroyer, 0);
    return 0;
}
