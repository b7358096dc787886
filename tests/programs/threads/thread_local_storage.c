// EXPECT proved
#include <pthread.h>
#include <assert.h>

__thread int mine = 5;
int total;

void *worker(void *arg) {
    mine++;
    assert(mine == 6);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    mine = 9;
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(mine == 9);
    return 0;
}
