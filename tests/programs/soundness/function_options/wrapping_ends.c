// Options that a pragma gives end with those that were pushed.
// PROPERTY no-overflow
// EXPECT violated
#include <limits.h>

extern int nondet_int(void);

#pragma GCC push_options
#pragma GCC optimize("wrapv")
static int wrapped(int x)
{
    return x + 1;
}
#pragma GCC pop_options

static int overflowing(int x)
{
    return x + 1; // VIOLATION
}

int main(void)
{
    int x = nondet_int() ? INT_MAX : 0;
    return wrapped(x) + overflowing(x) == 1;
}
