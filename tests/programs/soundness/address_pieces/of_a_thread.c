// A thread takes a pointer apart that lies in memory of the heap; after its join the pointer is whole.
// EXPECT proved
// TREES unknown byte-wise access to a pointer
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int object;
int **cell;

static void *move(void *unused) {
    char pieces[8];
    memcpy(pieces, cell, 8);
    memset(cell, 0, 8);
    memcpy(cell, pieces, 2);
    memcpy((char *)cell + 2, pieces + 2, 6);
    return unused;
}

int main(void) {
    pthread_t thread;
    cell = malloc(sizeof *cell);
    *cell = &object;
    pthread_create(&thread, 0, move, 0);
    pthread_join(thread, 0);
    **cell = 5;
    assert(object == 5);
    free(cell);
    return 0;
}
