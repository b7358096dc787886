// A copy that overlaps its source.
// PROPERTY assert
// EXPECT violated
// NONDET 0..3
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    unsigned char bytes[4];
    bytes[0] = 1;
    memmove(bytes + 1, bytes, 3);
    assert(bytes[2] == 0); // VIOLATION
    return 0;
}
