// Members that are accessed by their names are accessed atomically, and the structure is copied when nobody else is left.
// PROPERTY no-data-race
// EXPECT proved
// NONDET 123456..123456
#include <pthread.h>
#include <stdatomic.h>

struct flag {
    atomic_int ready;
    int data;
};

int nondet_int(void);
struct flag flag;

void *first(void *arg) {
    flag.data = 1;
    flag.ready = 1;
    return 0;
}

void *second(void *arg) {
    if (flag.ready) flag.data = 2;
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    struct flag copy = flag;
    return copy.ready;
}
