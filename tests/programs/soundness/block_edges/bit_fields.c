// The block ends inside of the bytes that several bit-fields share.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <string.h>

int nondet_int(void);
struct fields {
    unsigned low : 5, middle : 11, high : 16;
} fields = {3, 7, 9};

int main(void) {
    if (nondet_int() != 123456) return 0;
    memset(&fields, 0, 1);
    assert(fields.high == 9);
    assert(fields.low == 3); // VIOLATION
    return 0;
}
