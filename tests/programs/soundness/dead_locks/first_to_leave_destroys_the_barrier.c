// Whoever has left a barrier may destroy it, even if others have yet to leave.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

pthread_barrier_t b;

static void *other(void *arg) {
    pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, other, 0);
    pthread_barrier_wait(&b);
    pthread_barrier_destroy(&b);
    pthread_join(t, 0);
    return 0;
}
