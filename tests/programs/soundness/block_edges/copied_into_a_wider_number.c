// Two of the four bytes of a number are copied.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <string.h>

int nondet_int(void);
int number;
short piece = 2;

int main(void) {
    if (nondet_int() != 123456) return 0;
    memcpy(&number, &piece, 2);
    assert(number != 2); // VIOLATION
    return 0;
}
