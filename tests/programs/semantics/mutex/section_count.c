// Two threads with a critical section of n = 4 steps each, created and joined in order. If the first section comes
// first, main creates the second thread at one of n + 1 places in it and joins the first thread at one of n + 1 places in
// the second; if the second section comes first, all is fixed: (n + 1) * (n + 1) + 1 executions.
// EXPECT proved
// EXECUTIONS 26
#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 2);
    return 0;
}
