// Semaphores in an array are moved up by one: each gets the value that the one below it had before.
// EXPECT proved
#include <assert.h>
#include <semaphore.h>
#include <string.h>

sem_t row[3];

int value(sem_t *semaphore) {
    int value;
    sem_getvalue(semaphore, &value);
    return value;
}

int main(void) {
    sem_init(&row[0], 0, 1);
    sem_init(&row[1], 0, 2);
    sem_init(&row[2], 0, 3);
    memmove(&row[1], &row[0], 2 * sizeof row[0]);
    assert(value(&row[0]) == 1);
    assert(value(&row[1]) == 1);
    assert(value(&row[2]) == 2);
    return 0;
}
