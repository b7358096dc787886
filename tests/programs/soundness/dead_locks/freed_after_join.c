// Freed after the join: no race.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

static void *other(void *m) {
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_create(&t, 0, other, m);
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    pthread_join(t, 0);
    pthread_mutex_destroy(m);
    free(m);
    return 0;
}
