// EXPECT proved
#include <pthread.h>
#include <errno.h>
#include <assert.h>

void *worker(void *arg) {
    errno = 5;
    assert(errno == 5);
    return 0;
}

int main(void) {
    pthread_t t;
    errno = 7;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(errno == 7);
    return 0;
}
