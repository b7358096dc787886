// The address of a weak function that nothing defines may be null.
// EXPECT violated
#include <assert.h>

extern void maybe(void) __attribute__((weak));

int main(void)
{
    if (maybe)
        maybe();
    else
        assert(0); // VIOLATION
    return 0;
}
