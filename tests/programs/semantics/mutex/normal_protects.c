// Every call on a normal mutex that is used as it should be returns 0.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_mutex_t m;
int x;

void *worker(void *arg) {
    assert(pthread_mutex_lock(&m) == 0);
    x++;
    assert(pthread_mutex_unlock(&m) == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    assert(pthread_mutex_init(&m, 0) == 0);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 2);
    assert(pthread_mutex_destroy(&m) == 0);
    return 0;
}
