// Who does not look at errno takes the limit for the number.
// EXPECT violated
// UNWIND 24
#include <stdlib.h>
#include <limits.h>
#include <assert.h>

int main(void) {
    long big = strtol("99999999999999999999", 0, 10);
    assert(big != LONG_MAX); // VIOLATION
    return 0;
}
