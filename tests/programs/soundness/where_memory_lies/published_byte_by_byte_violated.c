// One of two pointers, published byte by byte, need not be the first.
// EXPECT violated
// TREES unknown byte-wise access to a pointer
#include <assert.h>
#include <pthread.h>

static int one = 1, two = 2, *shared = &one;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void copy(void *to, const void *from) {
    for (unsigned i = 0; i < sizeof(int *); i++)
        ((char *)to)[i] = ((const char *)from)[i];
}

static void *publish(void *unused) {
    int *p = &two;
    pthread_mutex_lock(&lock);
    copy(&shared, &p);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    int *q;
    pthread_create(&thread, 0, publish, 0);
    pthread_mutex_lock(&lock);
    copy(&q, &shared);
    pthread_mutex_unlock(&lock);
    assert(q == &one || q == &two);
    assert(*q == 1); // VIOLATION
    return 0;
}
