// An object of no bytes may be null.
// EXPECT violated
#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(malloc(0) != 0); // VIOLATION
    return 0;
}
