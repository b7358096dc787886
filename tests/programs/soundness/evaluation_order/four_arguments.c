// Of four arguments, all orders are tried.
// EXPECT violated
#include <assert.h>

static int g;

static int next(void)
{
    return g++;
}

static int digits(int a, int b, int c, int d)
{
    return a * 1000 + b * 100 + c * 10 + d;
}

int main(void)
{
    int r = digits(next(), next(), next(), next());
    assert(r != 213); // VIOLATION
    return 0;
}
