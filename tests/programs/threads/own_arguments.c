// EXPECT proved
// UNWIND 3
#include <pthread.h>
#include <assert.h>

int seen[2];
int numbers[2] = {0, 1};

void *worker(void *arg) {
    seen[*(int *)arg] = 1;
    return 0;
}

int main(void) {
    pthread_t workers[2];
    for (int i = 0; i < 2; i++) pthread_create(&workers[i], 0, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(workers[i], 0);
    assert(seen[0] && seen[1]);
    return 0;
}
