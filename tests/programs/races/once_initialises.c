// Whoever passes pthread_once sees what the initialiser did.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int table;
pthread_once_t once = PTHREAD_ONCE_INIT;

void fill(void) { table = 5; } // NORACE

void *first(void *arg) {
    pthread_once(&once, fill);
    int seen = table; // NORACE
    (void)seen;
    return 0;
}

void *second(void *arg) {
    pthread_once(&once, fill);
    int seen = table; // NORACE
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
