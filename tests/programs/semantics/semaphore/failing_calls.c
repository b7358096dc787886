// Semaphore functions that fail return -1 and say why in errno.
// EXPECT proved
#include <semaphore.h>
#include <limits.h>
#include <assert.h>
#include <errno.h>

sem_t s;

int main(void) {
    struct timespec soon = {0, 0};
    errno = 0;
    assert(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
    assert(sem_init(&s, 0, 0) == 0);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&s, &soon) == -1 && errno == ETIMEDOUT);
    assert(sem_init(&s, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&s) == -1 && errno == EOVERFLOW);
    assert(sem_wait(&s) == 0 && sem_post(&s) == 0 && sem_destroy(&s) == 0);
    return 0;
}
