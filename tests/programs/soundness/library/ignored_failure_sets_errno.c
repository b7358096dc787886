// The result is ignored, the failure is not.
// EXPECT violated
// NONDET -1..1
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 0;
    fputs("x\n", stderr);
    assert(errno == 0); // VIOLATION
    return 0;
}
