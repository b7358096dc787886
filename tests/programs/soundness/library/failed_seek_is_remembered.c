// What was to be written first could not be written.
// EXPECT violated
// NONDET -1..2
#include <assert.h>
#include <stdio.h>

int main(void) {
    if (!ferror(stdout) && fseek(stdout, 0, SEEK_SET) != 0)
        assert(!ferror(stdout)); // VIOLATION
    return 0;
}
