// `weakref` is another name for a function that nothing defines, or for one that is defined.
// EXPECT violated
// NATIVE no it needs the linker to leave a symbol undefined
#include <assert.h>

int defined(void) { return 2; }
static int known(void) __attribute__((weakref("defined")));
static int unknown(void) __attribute__((weakref("missing")));

int main(void)
{
    assert(known() == 2);
    assert(unknown != 0); // VIOLATION
    return 0;
}
