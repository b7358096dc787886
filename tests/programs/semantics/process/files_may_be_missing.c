// An operation on a file succeeds, or says why not.
// EXPECT proved
// NONDET -2..2
#include <unistd.h>
#include <errno.h>
#include <assert.h>

int main(void) {
    errno = 0;
    int result = access("file", R_OK);
    assert(result == 0 || result == -1 && errno > 0);
    assert(write(1, "ab", 2) <= 2);
    return 0;
}
