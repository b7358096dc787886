// From the second entry to the head nothing changes; that is no idle round, which could be left out.
// EXPECT violated
// NONDET 0..3
#include <assert.h>

unsigned nondet_uint(void);

int shared = 1;

int main(void) {
    unsigned n = nondet_uint(), i = 0, sum = 0;
    if (n > 3)
        return 0;
    if (sum % 2 == 1) {
        sum = 0;
    } else {
        goto middle;
    }
    while (i < n) {
        i++;
        sum += n;
    middle:
        shared = shared;
    }
    assert(sum != 9); // VIOLATION
    return 0;
}
