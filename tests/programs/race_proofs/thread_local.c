// Each thread has its own instance.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

__thread int x;

void *first(void *arg) {
    x++;
    return 0;
}

void *second(void *arg) {
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
