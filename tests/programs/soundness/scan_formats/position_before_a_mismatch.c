// The comma may be missing, although the number was found.
// EXPECT violated
// NONDET -1..1
#include <assert.h>
#include <stdio.h>
int main(void) {
    int number, position = -5;
    if (scanf("%d,%n", &number, &position) == 1)
        assert(position != -5); // VIOLATION
    return 0;
}
