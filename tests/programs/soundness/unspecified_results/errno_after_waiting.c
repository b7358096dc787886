// EXPECT violated
// NONDET 0..5
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    errno = 0;
    int result = sem_trywait(&semaphore);
    assert(result == 0);
    assert(errno == 0); // VIOLATION
    return 0;
}
