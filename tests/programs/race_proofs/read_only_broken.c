// One thread writes it after all.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int limit = 3;

void *first(void *arg) {
    int i = limit; // VIOLATION
    return 0;
}

void *second(void *arg) {
    if (arg == 0)
        limit = 4; // VIOLATION
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
