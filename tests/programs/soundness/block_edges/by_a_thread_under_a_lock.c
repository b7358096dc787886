// Another thread clears three bytes in the middle of a number.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <pthread.h>
#include <string.h>

int nondet_int(void);
long number = -1;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *clear(void *unused) {
    pthread_mutex_lock(&lock);
    memset((char *)&number + 2, 0, 3);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t thread;
    pthread_create(&thread, 0, clear, 0);
    pthread_mutex_lock(&lock);
    long seen = number;
    pthread_mutex_unlock(&lock);
    assert(seen == -1 || seen == (long)0xffffff000000ffff);
    assert(seen == -1); // VIOLATION
    pthread_join(thread, 0);
    return 0;
}
