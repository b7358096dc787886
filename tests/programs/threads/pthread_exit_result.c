// EXPECT proved
#include <pthread.h>
#include <assert.h>

void leave(long value) { pthread_exit((void *)value); }

void *worker(void *arg) {
    leave(7);
    assert(0);
    return 0;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &result);
    assert((long)result == 7);
    return 0;
}
