// The new thread can read its own handle where the creator had it stored.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_t t[2];

void *worker(void *arg) {
    assert(pthread_equal(t[(long)arg], pthread_self()));
    return 0;
}

int main(void) {
    pthread_create(&t[0], 0, worker, (void *)0);
    pthread_create(&t[1], 0, worker, (void *)1);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
