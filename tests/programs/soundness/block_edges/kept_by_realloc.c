// What realloc keeps ends inside of a number.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int nondet_int(void);

int main(void) {
    if (nondet_int() != 123456) return 0;
    int *numbers = malloc(8);
    numbers[0] = 1;
    numbers[1] = 0x01020304;
    numbers = realloc(numbers, 6);
    unsigned short half;
    memcpy(&half, numbers + 1, 2);
    assert(half != 0x0304); // VIOLATION
    free(numbers);
    return 0;
}
