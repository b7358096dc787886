// The input has fewer characters than the conversion wants.
// EXPECT violated
// NONDET -1..2
#include <assert.h>
#include <stdio.h>

int main(void) {
    char text[4] = "abc";
    if (scanf("%3c", text) != 1)
        assert(text[0] == 'a'); // VIOLATION
    return 0;
}
