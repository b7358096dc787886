// Different fields are different memory.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

struct { int a, b; } s;

void *first(void *arg) {
    s.a = 1; // NORACE
    return 0;
}

void *second(void *arg) {
    s.b = 2; // NORACE
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
