// `#pragma weak` after the declaration.
// EXPECT violated
// NATIVE no it needs the linker to leave a symbol undefined
#include <assert.h>

extern void maybe(void);
#pragma weak maybe

int main(void)
{
    if (!maybe)
        assert(0); // VIOLATION
    return 0;
}
