// The error number is in errno, not in the result.
// EXPECT violated
#include <semaphore.h>
#include <assert.h>
#include <errno.h>

sem_t s;

int main(void) {
    sem_init(&s, 0, 0);
    assert(sem_trywait(&s) == EAGAIN); // VIOLATION
    return 0;
}
