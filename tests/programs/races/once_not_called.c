// The second thread reads without pthread_once.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int table;
pthread_once_t once = PTHREAD_ONCE_INIT;

void fill(void) {
    table = 5; // RACE
}

void *first(void *arg) {
    pthread_once(&once, fill);
    return 0;
}

void *second(void *arg) {
    int seen = table; // RACE
    (void)seen;
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
