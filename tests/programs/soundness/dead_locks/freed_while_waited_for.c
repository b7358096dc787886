// A thread that waits for a lock whose memory is freed is not blocked: its next step is an invalid access.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

static void *waiter(void *m) {
    pthread_mutex_lock(m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_mutex_lock(m);
    pthread_create(&t, 0, waiter, m);
    free(m);
    return 0;
}
