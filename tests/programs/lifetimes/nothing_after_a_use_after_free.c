// After the free the reader never gets on, so done is set only before it.
// PROPERTY assert
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>

int *shared;
int freed, done;
void *reader(void *arg) {
    int late = freed;
    int value = *shared;
    if (late)
        done = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    shared = malloc(sizeof(int));
    *shared = 1;
    pthread_create(&t, 0, reader, 0);
    free(shared);
    freed = 1;
    assert(!done);
    return 0;
}
