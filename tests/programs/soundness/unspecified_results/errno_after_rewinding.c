// rewind() has no result to tell a failure with.
// EXPECT violated
// NONDET 0..5
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 0;
    rewind(stdin);
    assert(errno == 0); // VIOLATION
    return 0;
}
