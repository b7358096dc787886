// PROPERTY no-exit-while-locked
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg) { exit(1); }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
