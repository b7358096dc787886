// The last to drop a reference frees after an acquire fence.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

int *object;
int count = 2;

void *first(void *arg) {
    int seen = *object;
    if (__atomic_fetch_add(&count, -1, __ATOMIC_RELEASE) == 1) {
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        free(object);
    }
    return seen ? 0 : arg;
}

int main(void) {
    object = calloc(1, sizeof *object);
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, first, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
