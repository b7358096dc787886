// What realloc keeps of a semaphore are its bytes as operations have left them.
// EXPECT unknown
#include <assert.h>
#include <semaphore.h>
#include <stdlib.h>

int main(void) {
    sem_t *semaphore = malloc(sizeof *semaphore);
    sem_init(semaphore, 0, 7);
    int *words = realloc(semaphore, 2 * sizeof *semaphore);
    assert(words[0] != 7);
    free(words);
    return 0;
}
