// The holder destroys the mutex while another thread may be waiting for it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m;

static void *destroyer(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m); // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, destroyer, 0);
    pthread_mutex_lock(&m); // RACE
    pthread_mutex_unlock(&m);
    return 0;
}
