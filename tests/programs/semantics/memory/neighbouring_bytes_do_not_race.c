// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

char a[2];

void *worker(void *arg) {
    a[1] = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    a[0] = 1;
    pthread_join(t, 0);
    return 0;
}
