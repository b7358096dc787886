// Where nobody asks about accesses, a use after free ends the execution that has it and no other.
// PROPERTY assert
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>

int *shared;
int done;
void *reader(void *arg) {
    int value = *shared;
    done = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    shared = malloc(sizeof(int));
    *shared = 1;
    pthread_create(&t, 0, reader, 0);
    free(shared);
    assert(!done); // VIOLATION
    return 0;
}
