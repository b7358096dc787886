// EXPECT violated
// UNWIND 4
#include <pthread.h>
#include <assert.h>

int x;

void count(int n) {
    if (n == 0) return;
    x++;
    count(n - 1);
}

void *worker(void *arg) {
    count(2);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 4); // VIOLATION
    return 0;
}
