// The library does not keep the address: nothing is unsupported here.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <time.h>

static int sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused)
{
    int n = 0;
again:;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    if (n++ < 1)
        goto again;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    run(0);
    pthread_join(thread, 0);
    assert(sum == 4);
    return 0;
}
