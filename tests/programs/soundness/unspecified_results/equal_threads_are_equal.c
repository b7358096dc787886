// EXPECT proved
#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *work(void *unused) {
    assert(!pthread_equal(pthread_self(), first));
    return unused;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    assert(pthread_equal(pthread_self(), first));
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
