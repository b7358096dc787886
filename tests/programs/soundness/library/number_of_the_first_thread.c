// The first thread has the number of the process, others do not.
// EXPECT proved
// NONDET 1..2
#include <assert.h>
#include <pthread.h>

int gettid(void);
int getpid(void);

static void *other(void *unused) {
    assert(gettid() != getpid());
    return unused;
}

int main(void) {
    pthread_t thread;
    assert(gettid() == getpid());
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    return 0;
}
