// The flag keeps the threads apart: it is set before they start, and nobody changes it.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x, turn;

void *first(void *arg) {
    if (turn == 1)
        x = 1; // NORACE
    return 0;
}

void *second(void *arg) {
    if (turn == 2)
        x = 2; // NORACE
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    turn = 1;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
