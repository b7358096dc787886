// Each thread copies from the same source to its own place.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

struct pair { int a, b; } s, copies[2];

void *first(void *arg) {
    copies[0] = s; // NORACE
    return 0;
}

void *second(void *arg) {
    copies[1] = s; // NORACE
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
