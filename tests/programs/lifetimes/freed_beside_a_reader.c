// The reader is not waited for before the memory is freed.
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
    shared = malloc(sizeof(int));
    *shared = 1;
    pthread_create(&t, 0, reader, 0);
    free(shared);
    pthread_join(t, 0);
    return 0;
}
