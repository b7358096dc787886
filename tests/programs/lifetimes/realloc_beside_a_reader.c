// The reader may look into the old object.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int *shared;
void *reader(void *arg) {
    int value = *shared; // VIOLATION
    return 0;
}
int main(void) {
    pthread_t t;
    shared = malloc(4);
    *shared = 5;
    pthread_create(&t, 0, reader, 0);
    shared = realloc(shared, 8);
    pthread_join(t, 0);
    free(shared);
    return 0;
}
