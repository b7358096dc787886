// A table of pointers, hashed by their addresses: whatever these are, what was added is found.
// EXPECT proved
// TREES unknown integer arithmetic on a pointer value
#include <assert.h>
#include <stdint.h>

enum { SIZE = 4 };

static void *table[SIZE];
static int x, y;

static unsigned hash(void *p) {
    uintptr_t number = (uintptr_t)p;
    number ^= number >> 7;
    return (unsigned)(number >> 4) % SIZE;
}

static void add(void *p) {
    unsigned at = hash(p);
    while (table[at])
        at = (at + 1) % SIZE;
    table[at] = p;
}

static int has(void *p) {
    unsigned at = hash(p);
    for (int i = 0; i < SIZE; i++, at = (at + 1) % SIZE) {
        if (table[at] == p)
            return 1;
    }
    return 0;
}

int main(void) {
    add(&x);
    assert(has(&x));
    add(&y);
    assert(has(&x) && has(&y));
    return 0;
}
