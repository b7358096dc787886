// Of three arguments, the one in the middle may come first.
// EXPECT violated
#include <assert.h>

static int g;

static int next(void)
{
    return g++;
}

static int digits(int a, int b, int c)
{
    return a * 100 + b * 10 + c;
}

int main(void)
{
    int r = digits(next(), next(), next());
    assert(r != 102); // VIOLATION
    return 0;
}
