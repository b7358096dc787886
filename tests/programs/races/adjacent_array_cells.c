// Neighbouring cells are different memory.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

char cells[4];

void *first(void *arg) {
    cells[1] = 1; // NORACE
    return 0;
}

void *second(void *arg) {
    cells[2] = 2; // NORACE
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
