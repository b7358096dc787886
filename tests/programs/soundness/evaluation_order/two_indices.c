// Indices are evaluated in any order.
// EXPECT violated
#include <assert.h>

static int g;

static int next(void)
{
    return g++;
}

static int a[2][2];

int main(void)
{
    a[next()][next()] = 7;
    assert(a[0][1] == 7); // VIOLATION
    return 0;
}
