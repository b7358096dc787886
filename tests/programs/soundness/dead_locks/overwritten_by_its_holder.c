// The holder writes over the mutex, even if with its own bytes, while another thread may be waiting for it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>

pthread_mutex_t m, copy;

static void *owner(void *arg) {
    pthread_mutex_lock(&m);
    memcpy(&copy, &m, sizeof m);
    memcpy(&m, &copy, sizeof m); // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

static void *waiter(void *arg) {
    pthread_mutex_lock(&m); // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, owner, 0);
    pthread_create(&second, 0, waiter, 0);
    return 0;
}
