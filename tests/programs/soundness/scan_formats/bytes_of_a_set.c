// A set has bytes, not characters of some encoding.
// EXPECT violated
// NONDET 1..1
// ENGINES unknown the set makes a loop of unknown length
#include <assert.h>
#include <stdio.h>
int main(void) {
    char text[2] = "";
    if (scanf("%1[\xff]", text) == 1)
        assert(text[0] != '\xff'); // VIOLATION
    return 0;
}
