// A block that begins inside of one number and ends inside of the next.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <string.h>

int nondet_int(void);
long numbers[2] = {-1, -1};

int main(void) {
    if (nondet_int() != 123456) return 0;
    memset((char *)numbers + 4, 0, 8);
    assert(numbers[0] == -1 && numbers[1] == -1); // VIOLATION
    return 0;
}
