// A loop with a second entry. What comes from there to its head is no round of those that entered at the head: only there is
// `sideways` set.
// EXPECT violated
// NONDET 0..12
#include <assert.h>

unsigned nondet_uint(void);

int main(void) {
    unsigned n = nondet_uint(), i = 0, sum = 0;
    int sideways = 0;
    if (nondet_uint() == 0) {
        sum = 0;
    } else {
        sideways = 1;
        goto middle;
    }
    for (; i < n; i++) {
        sum++;
    middle:
        sum++;
    }
    assert(!sideways || sum < 21); // VIOLATION
    return 0;
}
