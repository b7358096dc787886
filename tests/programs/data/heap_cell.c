// EXPECT proved
#include <pthread.h>
#include <assert.h>

#include <stdlib.h>

void *writer(void *arg) {
    *(int *)arg = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    int *cell = malloc(sizeof *cell);
    *cell = 0;
    pthread_create(&t, 0, writer, cell);
    pthread_join(t, 0);
    assert(*cell == 1);
    free(cell);
    return 0;
}
