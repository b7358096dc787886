// The other unit of the processor computes with more digits.
// EXPECT unknown
#include <assert.h>

__attribute__((noinline, target("fpmath=387"))) static int same(double a, double b, double c)
{
    return a + b == c;
}

int main(void)
{
    volatile double one = 1.0, little = 0x1p-54;
    assert(same(one, little, one));
    return 0;
}
