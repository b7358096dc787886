// Six characters are more than a `short` holds: any value may come out.
// EXPECT violated
// NONDET -1..1
#include <assert.h>
#include <stdio.h>
int main(void) {
    short number = 0;
    if (scanf("%6hd", &number) == 1)
        assert(number >= 0); // VIOLATION
    return 0;
}
