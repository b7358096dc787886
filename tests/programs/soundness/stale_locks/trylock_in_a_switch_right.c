// As trylock_in_a_switch, with nothing in the other cases.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *w(void *arg) {
    pthread_mutex_lock(&m);
    x++;
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
    default:
        break;
    }
    pthread_join(t, 0);
    return 0;
}
