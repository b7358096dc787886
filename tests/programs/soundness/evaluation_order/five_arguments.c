// Of more arguments, not all orders are tried.
// EXPECT unknown
#include <assert.h>

static int g;

static int next(void)
{
    return g++;
}

static int digits(int a, int b, int c, int d, int e)
{
    return a * 10000 + b * 1000 + c * 100 + d * 10 + e;
}

int main(void)
{
    int r = digits(next(), next(), next(), next(), next());
    assert(r != 2134);
    return 0;
}
