// A structure is written by plain accesses, its atomic members, too.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <stdatomic.h>

struct inner {
    atomic_int flags[2];
};

struct outer {
    int number;
    struct inner inner;
};

int nondet_int(void);
struct outer shared;
const struct outer blank;

void *first(void *arg) {
    shared = blank; // RACE
    return 0;
}

void *second(void *arg) {
    return atomic_load(&shared.inner.flags[1]) ? &shared : 0; // RACE
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
