// EXPECT violated
// UNWIND 4
#include <pthread.h>
#include <assert.h>

int x;

void *worker(void *arg) {
    x++;
    return 0;
}

int main(void) {
    pthread_t workers[3];
    for (int i = 0; i < 3; i++) pthread_create(&workers[i], 0, worker, 0);
    for (int i = 0; i < 3; i++) pthread_join(workers[i], 0);
    assert(x == 3); // VIOLATION
    return 0;
}
