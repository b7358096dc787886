// A pointer that is destroyed in part may be written anew.
// EXPECT violated
// TREES unknown byte-wise access to a pointer
// NONDET 123456..123456
#include <assert.h>
#include <string.h>

int nondet_int(void);
int object, *pointer = &object;

int main(void) {
    if (nondet_int() != 123456) return 0;
    memset(&pointer, 0, 4);
    pointer = &object;
    *pointer = 3;
    assert(object != 3); // VIOLATION
    return 0;
}
