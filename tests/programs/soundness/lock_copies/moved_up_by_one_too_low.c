// The same, with what would come out if each were overwritten before it is read.
// EXPECT violated
#include <assert.h>
#include <semaphore.h>
#include <string.h>

sem_t row[3];

int main(void) {
    int last;
    sem_init(&row[0], 0, 1);
    sem_init(&row[1], 0, 2);
    memmove(&row[1], &row[0], 2 * sizeof row[0]);
    sem_getvalue(&row[2], &last);
    assert(last == 1); // VIOLATION
    return 0;
}
