// A write beside the lock that is held may hit the lock of the next element.
// PROPERTY no-data-race
// ENGINES unknown a memory operation on one of several objects
// EXPECT violated
#include <pthread.h>

unsigned nondet_uint(void);

struct Element {
    pthread_mutex_t lock;
    long value;
} elements[3];
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, fresh = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
    struct Element *own = elements + 1 + (nondet_uint() & 1);
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&own->lock);
    pthread_mutex_unlock(&gate);
    own->value++; // RACE
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&own->lock);
    pthread_mutex_unlock(&gate);
    return NULL;
}

static void *renew(void *unused) {
    struct Element *own = elements + (nondet_uint() & 1);
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&own->lock);
    (own + 1)->lock = fresh;
    pthread_mutex_unlock(&own->lock);
    pthread_mutex_unlock(&gate);
    return NULL;
}

int main(void) {
    pthread_t first, second, third;
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_create(&third, NULL, renew, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_join(third, NULL);
    return 0;
}
