// What the creator does before, the new thread may rely on.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;

void *worker(void *arg) {
    x++;
    return 0;
}

int main(void) {
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
