// An unlock touches the memory of its mutex: freeing that at the same time is a race.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <stdlib.h>

extern int nondet_int(void);

static void *other(void *m) {
    pthread_mutex_lock(m); // RACE
    pthread_mutex_unlock(m); // RACE
    return 0;
}

int main(void) {
    pthread_t t;
    if (nondet_int() != 123456)
        return 0;
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_create(&t, 0, other, m);
    free(m); // RACE
    pthread_join(t, 0);
    return 0;
}
