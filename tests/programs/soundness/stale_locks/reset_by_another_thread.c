// A thread that initialises a mutex takes it away from its holder.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *w(void *arg) {
    pthread_mutex_init(&m, 0); // RACE
    pthread_mutex_lock(&m);
    x++; // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&m); // RACE
    x++; // RACE
    pthread_mutex_unlock(&m); // RACE
    pthread_join(t, 0);
    return 0;
}
