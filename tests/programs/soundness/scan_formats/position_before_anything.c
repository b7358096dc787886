// Stored even if there is no input at all.
// EXPECT violated
// NONDET -1..1
#include <assert.h>
#include <stdio.h>
int main(void) {
    int number, position = 7;
    if (scanf("%n%d", &position, &number) == EOF)
        assert(position == 7); // VIOLATION
    return 0;
}
