// EXPECT unknown
#include <assert.h>

#pragma GCC optimize("O3,finite-math-only")
static int is_no_number(double x)
{
    return x != x;
}
#pragma GCC reset_options

int main(void)
{
    volatile double zero = 0.0;
    assert(is_no_number(zero / zero));
    return 0;
}
