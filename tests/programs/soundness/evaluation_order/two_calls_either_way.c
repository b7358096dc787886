// EXPECT proved
#include <assert.h>

static int n;

static int next(void)
{
    return ++n;
}

int main(void)
{
    int x = next() - next();
    assert(x == -1 || x == 1);
    assert(n == 2);
    return 0;
}
