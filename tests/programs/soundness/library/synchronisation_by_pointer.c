// Functions of the library that synchronise mean the same where they are called through pointers.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <time.h>

int (*const wait_for)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *) = pthread_cond_timedwait;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int count;

void *work(void *unused) {
    struct timespec soon = {1, 0};
    pthread_mutex_lock(&mutex);
    int before = count;
    wait_for(&condition, &mutex, &soon);
    count = before + 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2); // VIOLATION
    return 0;
}
