// A flag that is read by copying its structure orders nothing.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <stdatomic.h>

struct flag {
    atomic_int ready;
};

int nondet_int(void);
struct flag flag;
int data;

int is_ready(struct flag copy) {
    return copy.ready;
}

void *first(void *arg) {
    data = 1; // RACE
    flag.ready = 1; // RACE
    return 0;
}

void *second(void *arg) {
    if (is_ready(flag)) data = 2; // RACE
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
