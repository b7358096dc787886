// It is invalid.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

static void *waiter(void *m) {
    pthread_mutex_lock(m); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_mutex_lock(m);
    pthread_create(&t, 0, waiter, m);
    free(m);
    pthread_join(t, 0);
    return 0;
}
