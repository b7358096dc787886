// EXPECT violated
// NONDET 0..2
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    errno = 0;
    if (setenv("COLOUR", "red", 1) == 0)
        assert(errno == 0); // VIOLATION
    return 0;
}
