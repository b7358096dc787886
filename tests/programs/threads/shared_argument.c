// Each thread gets the address of the same loop variable.
// EXPECT violated
// UNWIND 3
#include <pthread.h>
#include <assert.h>

int seen[3];

void *worker(void *arg) {
    seen[*(int *)arg] = 1;
    return 0;
}

int main(void) {
    pthread_t workers[2];
    int i;
    for (i = 0; i < 2; i++) pthread_create(&workers[i], 0, worker, &i);
    pthread_join(workers[0], 0);
    pthread_join(workers[1], 0);
    assert(seen[0] && seen[1]); // VIOLATION
    return 0;
}
