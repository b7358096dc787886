// The beginning of a wait has an end right behind it, and is unsupported as a whole.
// EXPECT unknown
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;
pthread_cond_t c[2];
int ready;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c[(unsigned long)pthread_self() >> 12 & 1], &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&c[0]);
    pthread_cond_broadcast(&c[1]);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(ready == 1);
    return 0;
}
