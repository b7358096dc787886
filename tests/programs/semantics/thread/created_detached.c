// EXPECT proved
#include <pthread.h>
#include <assert.h>
#include <errno.h>

void *worker(void *arg) { return 0; }

int main(void) {
    pthread_t t;
    pthread_attr_t attributes;
    int state;
    pthread_attr_init(&attributes);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_JOINABLE);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attributes, worker, 0);
    pthread_attr_destroy(&attributes);
    assert(pthread_join(t, 0) == EINVAL);
    return 0;
}
