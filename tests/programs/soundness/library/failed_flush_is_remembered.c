// A stream whose buffer could not be written is in error.
// EXPECT violated
// NONDET -1..2
#include <assert.h>
#include <stdio.h>

int main(void) {
    if (!ferror(stdout) && fflush(stdout) == EOF)
        assert(!ferror(stdout)); // VIOLATION
    return 0;
}
