// EXPECT violated
// NONDET -2..1
#include <assert.h>
#include <stdio.h>

int main(void) {
    if (getchar() == EOF)
        assert(feof(stdin)); // VIOLATION
    return 0;
}
