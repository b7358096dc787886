// A structure is read by plain accesses, its atomic members, too.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <stdatomic.h>

struct counter {
    atomic_int value;
    int limit;
};

int nondet_int(void);
struct counter counter;

void *first(void *arg) {
    atomic_fetch_add(&counter.value, 1); // RACE
    return 0;
}

void *second(void *arg) {
    struct counter copy = counter; // RACE
    return copy.value ? &counter : 0;
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
