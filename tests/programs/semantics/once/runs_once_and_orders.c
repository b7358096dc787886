// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int x;

void initialise(void) { x = 1; }

void *worker(void *arg) {
    pthread_once(&once, initialise);
    int mine = x;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
