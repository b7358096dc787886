// Levels, instruction sets and the like change nothing, and what follows `reset_options` is as before.
// EXPECT proved
#pragma GCC optimize("Ofast", "no-strict-aliasing")
#include <assert.h>
#pragma GCC reset_options

__attribute__((optimize(3))) static int once(int x)
{
    return x + 1;
}

#pragma GCC push_options
#pragma GCC optimize("O0")
#pragma GCC target("sse4.2")
__attribute__((target("avx2,tune=haswell"), optimize("unroll-loops,-fno-strict-aliasing"))) static int twice(int x)
{
    return once(once(x));
}
#pragma GCC pop_options

int main(void)
{
    volatile double half = 0.5;
    assert(twice(1) == 3 && half + half == 1.0);
    return 0;
}
