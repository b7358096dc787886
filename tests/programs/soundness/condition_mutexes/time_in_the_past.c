// A time before the epoch is a time: the wait is over at once. A clock reading with too many nanoseconds is none.
// PROPERTY assert
// OPTION no-spurious-wakeups
// EXPECT proved
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
sem_t semaphore;

int main(void) {
    struct timespec past = {-5, 0}, none = {0, 1000000000};
    pthread_mutex_lock(&lock);
    assert(pthread_cond_timedwait(&condition, &lock, &past) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    sem_init(&semaphore, 0, 1);
    assert(sem_timedwait(&semaphore, &none) == -1 && errno == EINVAL);
    assert(pthread_rwlock_timedrdlock(&shared, &none) == EINVAL);
    return 0;
}
