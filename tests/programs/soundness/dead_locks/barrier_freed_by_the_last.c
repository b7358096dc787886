// The serial thread may destroy and free a barrier while the others are on their way out.
// PROPERTY valid-deref
// EXPECT unknown
#include <pthread.h>
#include <stdlib.h>

static void *meet(void *argument) {
    pthread_barrier_t *barrier = argument;
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        free(barrier);
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_barrier_t *barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&first, NULL, meet, barrier);
    pthread_create(&second, NULL, meet, barrier);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
