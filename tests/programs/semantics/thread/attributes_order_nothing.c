// Hints to the scheduler keep no thread from running.
// EXPECT violated
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>

int x;

void *worker(void *arg) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    pthread_testcancel();
    x = x + 1;
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_attr_t attributes;
    pthread_setconcurrency(1);
    pthread_attr_init(&attributes);
    assert(pthread_attr_setstacksize(&attributes, 1 << 20) == 0);
    assert(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM) == 0);
    pthread_create(&t, &attributes, worker, 0);
    pthread_create(&u, &attributes, worker, 0);
    pthread_attr_destroy(&attributes);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2); // VIOLATION
    return 0;
}
