// Any number but zero says that the end was reached.
// EXPECT violated
// NONDET -1..2
#include <assert.h>
#include <stdio.h>

int main(void) {
    if (getchar() == EOF)
        assert(feof(stdin) <= 1); // VIOLATION
    return 0;
}
