// EXPECT proved
#include <pthread.h>
#include <assert.h>
#include <errno.h>

void *worker(void *arg) { return 0; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(pthread_detach(t) == 0);
    assert(pthread_join(t, 0) == EINVAL);
    assert(pthread_detach(t) == EINVAL);
    return 0;
}
