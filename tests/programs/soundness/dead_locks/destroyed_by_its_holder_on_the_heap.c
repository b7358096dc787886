// As destroyed_by_its_holder.c, on the heap, and the holder has taken the mutex in a branch.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int nondet_int(void);

static void *destroyer(void *m) {
    if (nondet_int()) {
        pthread_mutex_lock(m);
        pthread_mutex_destroy(m); // RACE
        pthread_mutex_unlock(m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_create(&t, 0, destroyer, m);
    pthread_mutex_lock(m); // RACE
    pthread_mutex_unlock(m);
    return 0;
}
