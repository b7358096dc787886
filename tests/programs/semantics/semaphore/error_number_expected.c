// The error number is in errno, not in the result.
// EXPECT violated
#include <semaphore.h>
#include <assert.h>
#include <errno.h>

sem_t s;

int main(void) {
    assert(sem_init(&s, 0, 0x80000000u) == EINVAL); // VIOLATION
    return 0;
}
