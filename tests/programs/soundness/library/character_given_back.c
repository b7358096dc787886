// EXPECT proved
// NONDET -1..1
#include <assert.h>
#include <stdio.h>

int main(void) {
    if (ungetc('x', stdin) == 'x')
        assert(getchar() == 'x');
    return 0;
}
