// Bytes of an address in a local.
// EXPECT violated
// NONDET 123456..123456
// TREES unknown byte-wise access to a pointer
#include <assert.h>
#include <string.h>

int nondet_int(void);

int main(void) {
    int object = 0, *pointer = &object;
    unsigned low, high;
    if (nondet_int() != 123456) return 0;
    memcpy(&low, &pointer, 4);
    memcpy(&high, (char *)&pointer + 4, 4);
    assert(low == 0 && high == 0); // VIOLATION
    return 0;
}
