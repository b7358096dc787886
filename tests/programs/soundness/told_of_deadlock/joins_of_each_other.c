// One of two threads that join each other may be told.
// EXPECT violated
// ENGINES unknown what threads do that join each other is not followed
#include <assert.h>
#include <pthread.h>

pthread_t creator;

static void *worker(void *arg) {
    assert(pthread_join(creator, 0) == 0); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    creator = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
