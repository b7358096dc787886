// A timed wait until a time that is none fails before it gives the mutex up.
// PROPERTY assert
// EXPECT proved
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int value;

static void *writer(void *unused) {
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    struct timespec none = {0, -1};
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, writer, NULL);
    int before = value;
    int error = pthread_cond_timedwait(&condition, &lock, &none);
    assert(error == EINVAL && value == before);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
