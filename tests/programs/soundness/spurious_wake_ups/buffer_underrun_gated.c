// One item, two consumers: a wake-up without a signal finds the buffer empty.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
extern int nondet_int(void);

static void *consumer(void *arg) {
    pthread_mutex_lock(&m);
    if (!ready)
        pthread_cond_wait(&c, &m);
    ready--;
    assert(ready >= 0); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    if (nondet_int() != 123456)
        return 0;
    pthread_create(&t, 0, consumer, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
