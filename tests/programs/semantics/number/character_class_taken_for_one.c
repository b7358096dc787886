// A class is told by any value that is not zero.
// EXPECT violated
#include <ctype.h>
#include <assert.h>

int main(void) {
    int digit = isdigit('5');
    assert(digit != 0);
    assert(digit == 1); // VIOLATION
    return 0;
}
