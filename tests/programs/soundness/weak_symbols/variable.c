// A weak variable that nothing defines has no address.
// EXPECT violated
// NATIVE no it needs the linker to leave a symbol undefined
#include <assert.h>

extern int maybe __attribute__((weak));

int main(void)
{
    assert(&maybe != 0); // VIOLATION
    return 0;
}
