// A plain flag orders nothing, and is itself written and read at the same time.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>

int data;
int ready;

void *first(void *arg) {
    data = 42; // RACE
    ready = 1; // RACE
    return 0;
}

void *second(void *arg) {
    if (ready) // RACE
        data++; // RACE
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
