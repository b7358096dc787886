// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_t creator;

void *worker(void *arg) {
    assert(!pthread_equal(pthread_self(), creator));
    assert(pthread_equal(pthread_self(), pthread_self()));
    return 0;
}

int main(void) {
    pthread_t t;
    creator = pthread_self();
    pthread_create(&t, 0, worker, 0);
    assert(!pthread_equal(t, creator));
    pthread_join(t, 0);
    return 0;
}
