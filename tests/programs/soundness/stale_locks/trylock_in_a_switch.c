// A switch tells which attempts succeeded: only case 0 does.
// PROPERTY no-data-race
// EXPECT violated
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

static void *w(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    y++; // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    switch (pthread_mutex_trylock(&m)) {
    case 0:
        x++;
        pthread_mutex_unlock(&m);
        break;
    case EBUSY:
        y++; // RACE
        break;
    }
    pthread_join(t, 0);
    return 0;
}
