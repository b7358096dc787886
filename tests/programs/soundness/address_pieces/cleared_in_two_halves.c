// A pointer that is cleared in two halves is null.
// EXPECT proved
// TREES unknown byte-wise access to a pointer
#include <assert.h>
#include <string.h>

int object, *pointer = &object;

int main(void) {
    memset(&pointer, 0, 4);
    memset((char *)&pointer + 4, 0, 4);
    assert(pointer == 0);
    return 0;
}
