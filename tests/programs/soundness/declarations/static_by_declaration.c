// A function that is declared static is static, whatever its definition says.
// EXPECT proved
#include <assert.h>

static int abs_(int x);

int main(void)
{
    assert(abs_(-3) == 3);
    return 0;
}

int abs_(int x)
{
    return x < 0 ? -x : x;
}
