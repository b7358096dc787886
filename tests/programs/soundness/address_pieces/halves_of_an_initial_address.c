// The halves of an address in an initialiser are not zero.
// EXPECT violated
// NONDET 123456..123456
// TREES unknown byte-wise access to a pointer
#include <assert.h>

int nondet_int(void);
int object, *pointer = &object;

int main(void) {
    if (nondet_int() != 123456) return 0;
    assert(((int *)&pointer)[0] == 0 && ((int *)&pointer)[1] == 0); // VIOLATION
    return 0;
}
