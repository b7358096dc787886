// Such a join claims nothing: another thread can join this one afterwards.
// EXPECT proved
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *run(void *arg) {
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    assert(pthread_join(t, 0) == 0);
    return 0;
}
