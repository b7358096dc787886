// The arguments of builtins are evaluated in any order, as those of functions are.
// EXPECT violated
#include <assert.h>

static int x = 1;

static int twice(void)
{
    return x *= 2;
}

static int three_more(void)
{
    return x += 3;
}

int main(void)
{
    int difference;
    __builtin_sub_overflow(twice(), three_more(), &difference);
    assert(difference == 2 - 5); // VIOLATION
    return 0;
}
