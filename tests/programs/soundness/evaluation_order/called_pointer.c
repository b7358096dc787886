// What a function pointer is may be found out after the arguments.
// EXPECT violated
#include <assert.h>

static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int (*which)(int) = one;

static int change(void)
{
    which = two;
    return 0;
}

int main(void)
{
    assert(which(change()) == 1); // VIOLATION
    return 0;
}
