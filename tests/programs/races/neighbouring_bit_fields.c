// Bit-fields that lie side by side are one place in memory.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

struct { unsigned a : 4, b : 4; } s;

void *first(void *arg) {
    s.a = 1; // RACE
    return 0;
}

void *second(void *arg) {
    s.b = 2; // RACE
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
