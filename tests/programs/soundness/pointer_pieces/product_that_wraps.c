// Three times the number is one, as products wrap, so that 24 times it is 8: not a multiple of 24.
// EXPECT violated
// TREES unknown integer arithmetic on a pointer value
#include <assert.h>
struct entry { long number; void (*run)(void); long other; };
static void bad(void) { assert(0); } // VIOLATION
static void good(void) {}
static struct entry entries[2] = {{0, good, 0}, {0, good, 0}};
static unsigned long third = 0xAAAAAAAAAAAAAAABul;
int main(void) {
    int *halves = (int *)((char *)entries + third * 24);
    unsigned long number = (unsigned long)bad;
    halves[0] = (int)number;
    halves[1] = (int)(number >> 32);
    entries[0].run();
    return 0;
}
