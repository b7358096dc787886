// A plain flag is no pthread_once.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int table;
int done;

void once(void) {
    if (!done) { // RACE
        table = 5; // RACE
        done = 1; // RACE
    }
}

void *first(void *arg) {
    once();
    return 0;
}

void *second(void *arg) {
    once();
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
