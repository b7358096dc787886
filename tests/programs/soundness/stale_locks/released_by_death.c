// A lock on the heap that is freed while it is held is held by nobody; a new one at its place is another.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t *m;
int x;

static void *w(void *arg) {
    pthread_mutex_lock(m);
    x++; // RACE
    pthread_mutex_unlock(m);
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        free(m);
        m = calloc(1, sizeof *m);
        if (i == 0)
            pthread_mutex_lock(m);
    }
    pthread_create(&t, 0, w, 0);
    x++; // RACE
    pthread_join(t, 0);
    return 0;
}
