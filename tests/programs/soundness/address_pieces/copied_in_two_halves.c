// An address that is copied in two halves is the same address.
// EXPECT proved
// TREES unknown byte-wise access to a pointer
#include <assert.h>
#include <string.h>

int object = 7, *pointer = &object;

int main(void) {
    int *copy;
    memcpy(&copy, &pointer, 4);
    memcpy((char *)&copy + 4, (char *)&pointer + 4, 4);
    assert(*copy == 7);
    *copy = 8;
    assert(object == 8);
    return 0;
}
