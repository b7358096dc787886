// One of the streams is in error then, whichever.
// EXPECT violated
// NONDET -1..2
#include <assert.h>
#include <stdio.h>

int main(void) {
    if (!ferror(stderr) && fflush(0) == EOF)
        assert(!ferror(stderr)); // VIOLATION
    return 0;
}
