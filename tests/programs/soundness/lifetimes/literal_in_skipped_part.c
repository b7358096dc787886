// A compound literal in a part of an expression that may be skipped lives until the block around it ends.
// EXPECT violated
#include <assert.h>

extern int nondet_int(void);

int main(void)
{
    int *p = 0;
    nondet_int() && (p = &(int){1});
    if (p) {
        *p = 2;
        assert(0); // VIOLATION
    }
    return 0;
}
