// The reader is joined first: no event is needed for the death of the object.
// PROPERTY valid-deref
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

int *shared;
void *reader(void *arg) {
    int value = *shared;
    return 0;
}
int main(void) {
    pthread_t t;
    shared = malloc(sizeof(int));
    *shared = 1;
    pthread_create(&t, 0, reader, 0);
    pthread_join(t, 0);
    free(shared);
    return 0;
}
