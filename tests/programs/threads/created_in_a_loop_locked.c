// EXPECT proved
// UNWIND 4
#include <pthread.h>
#include <assert.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t workers[3];
    for (int i = 0; i < 3; i++) pthread_create(&workers[i], 0, worker, 0);
    for (int i = 0; i < 3; i++) pthread_join(workers[i], 0);
    assert(x == 3);
    return 0;
}
