// Three threads, every result from 1 to 3 is possible.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

int x;

void *worker(void *arg) {
    int seen = x;
    x = seen + 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    pthread_create(&t3, 0, worker, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    assert(x >= 1 && x <= 3);
    assert(x != 1); // VIOLATION
    return 0;
}
