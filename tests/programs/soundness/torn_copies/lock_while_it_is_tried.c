// A mutex on the heap is copied over one that another thread tries to take.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t target, *source;

static void *copier(void *arg) {
    target = *source; // RACE
    return 0;
}

static void *taker(void *arg) {
    if (pthread_mutex_trylock(&target) == 0) { // RACE
        pthread_mutex_unlock(&target);         // RACE
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    source = malloc(sizeof *source);
    pthread_mutex_init(source, 0);
    pthread_create(&first, 0, taker, 0);
    pthread_create(&second, 0, copier, 0);
    return 0;
}
