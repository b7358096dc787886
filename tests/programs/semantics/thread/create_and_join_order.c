// Creation and join order what comes before and after.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;

void *worker(void *arg) {
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    x = 3;
    return 0;
}
