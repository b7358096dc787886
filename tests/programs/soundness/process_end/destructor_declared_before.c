// The attribute may stand on a declaration.
// EXPECT violated
#include <assert.h>

static void end(void) __attribute__((destructor));

static void end(void)
{
    assert(0); // VIOLATION
}

int main(void)
{
    return 0;
}
