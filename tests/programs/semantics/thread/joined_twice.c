// The second join finds no thread any more: an error code, and the result is untouched.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

void *worker(void *arg) { return 0; }

int main(void) {
    pthread_t t;
    void *result = &t;
    pthread_create(&t, 0, worker, 0);
    assert(pthread_join(t, 0) == 0);
    assert(pthread_join(t, &result) != 0);
    return 0;
}
