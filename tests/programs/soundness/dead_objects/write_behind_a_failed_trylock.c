// A trylock that fails tells that the other thread has moved the object away.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <stdlib.h>

int nondet_int(void);
pthread_mutex_t moved = PTHREAD_MUTEX_INITIALIZER;
int *box;
int *larger;

void *first(void *arg) {
    larger = realloc(box, 16); // RACE
    pthread_mutex_lock(&moved);
    return 0;
}

void *second(void *arg) {
    if (pthread_mutex_trylock(&moved)) *box = 2; // RACE
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    box = calloc(1, sizeof(int));
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
