// The attribute of a declaration is one of the definition, too.
// EXPECT unknown
#include <assert.h>

static int next(int x) __attribute__((__optimize__(2, "trapv")));

static int next(int x)
{
    return x + 1;
}

int main(void)
{
    assert(next(3) == 4);
    return 0;
}
