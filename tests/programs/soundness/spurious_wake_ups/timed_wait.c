// A timed wait may end before its time without a signal, and then returns zero.
// PROPERTY assert
// EXPECT violated
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

int main(void) {
    struct timespec late = {2000000000, 0};
    int error = 0;
    pthread_mutex_lock(&lock);
    if (!ready)
        error = pthread_cond_timedwait(&condition, &lock, &late);
    if (error == 0)
        assert(ready); // VIOLATION
    pthread_mutex_unlock(&lock);
    return 0;
}
