// EXPECT proved
#include <semaphore.h>
#include <assert.h>
#include <errno.h>
#include <time.h>

sem_t s;
struct timespec soon;

int main(void) {
    int value = 7;
    assert(sem_init(&s, 0, 2) == 0);
    assert(sem_getvalue(&s, &value) == 0 && value == 2);
    assert(sem_wait(&s) == 0);
    assert(sem_trywait(&s) == 0);
    assert(sem_getvalue(&s, &value) == 0 && value == 0);
    errno = 0;
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&s, &soon) == -1 && errno == ETIMEDOUT);
    assert(sem_post(&s) == 0);
    assert(sem_timedwait(&s, &soon) == 0);
    assert(sem_destroy(&s) == 0);
    return 0;
}
