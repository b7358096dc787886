// As entered_in_the_middle.c. The loop is left at its head only, and what entered in the middle does not come there at once.
// EXPECT violated
// NONDET 0..11
#include <assert.h>

unsigned nondet_uint(void);

int sideways;

int main(void) {
    unsigned n = nondet_uint(), i = 0;
    if (n < 10)
        return 0;
    if (nondet_uint() == 0) {
        i = 0;
    } else {
        sideways = 1;
        goto middle;
    }
    while (i < n) {
        i++;
    middle:;
    }
    assert(!sideways); // VIOLATION
    return 0;
}
