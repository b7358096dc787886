// A structure is copied out of memory that is gone; the value of a semaphore tells so.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct pair {
    int left, right;
};

int nondet_int(void);
struct pair *box;
struct pair copy;
sem_t freed;

void *first(void *arg) {
    free(box); // RACE
    sem_post(&freed);
    return 0;
}

void *second(void *arg) {
    int value;
    sem_getvalue(&freed, &value);
    if (value) copy = *box; // RACE
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    sem_init(&freed, 0, 0);
    box = calloc(1, sizeof *box);
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
