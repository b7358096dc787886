// EXPECT violated
#include <assert.h>

static int n;

static int next(void)
{
    return ++n;
}

static int first(int a, int b)
{
    return a;
}

int main(void)
{
    assert(first(next(), next()) == 1); // VIOLATION
    return 0;
}
