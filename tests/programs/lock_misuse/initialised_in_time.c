// As initialised_too_late, repaired.
// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t *m;

void *f(void *arg) {
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    return 0;
}

int main(void) {
    pthread_t t;
    m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    return 0;
}
