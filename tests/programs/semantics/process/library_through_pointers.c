// Library functions have addresses, and mean the same through them.
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

struct operations {
    void *(*allocate)(size_t);
    void (*release)(void *);
    int (*lock)(pthread_mutex_t *);
    int (*unlock)(pthread_mutex_t *);
    size_t (*length)(const char *);
};

struct operations all = {malloc, free, pthread_mutex_lock, pthread_mutex_unlock, strlen};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg) {
    all.lock(&m);
    x = x + 1;
    all.unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    int *p = all.allocate(sizeof *p);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    *p = x;
    assert(*p == 2 && all.length("abc") == 3);
    all.release(p);
    return 0;
}
