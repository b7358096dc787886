// Whether the second thread writes depends on what it reads: the read races already.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;

void *first(void *arg) {
    x = 1; // RACE
    return 0;
}

void *second(void *arg) {
    if (x == 2) // RACE
        x = 3;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
