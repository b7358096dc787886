// The result minus EBUSY is zero where the attempt failed.
// PROPERTY no-data-race
// EXPECT violated
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *w(void *arg) {
    pthread_mutex_lock(&m);
    x++; // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    long d = pthread_mutex_trylock(&m) - EBUSY;
    if (d == 0)
        x++; // RACE
    else
        pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
