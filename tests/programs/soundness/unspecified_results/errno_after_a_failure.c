// A call that fails says why.
// EXPECT proved
// NONDET 0..1
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec time = {0, -1};
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    int result = close(-1);
    assert(result == -1 && errno == EBADF);
    result = sem_trywait(&semaphore);
    assert(result == -1 && errno == EAGAIN);
    result = nanosleep(&time, 0);
    assert(result == -1 && errno == EINVAL);
    return 0;
}
