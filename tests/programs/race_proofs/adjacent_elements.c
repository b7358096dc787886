// Threads work on elements of their own.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int a[2];

void *first(void *arg) {
    int *own = arg;
    *own = 1;
    return 0;
}

void *second(void *arg) {
    int *own = arg;
    *own = 2;
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, first, &a[0]);
    pthread_create(&t1, 0, second, &a[1]);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
