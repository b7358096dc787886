// In every order, the sum is the same.
// EXPECT proved
#include <assert.h>

static int g;

static int next(void)
{
    return g++;
}

int main(void)
{
    int a[3] = {next(), next(), next()};
    assert(a[0] + a[1] + a[2] == 3);
    return 0;
}
