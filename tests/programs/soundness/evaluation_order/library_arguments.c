// Arguments of library functions are evaluated in any order.
// EXPECT violated
#include <assert.h>

static int g;

static int next(void)
{
    return g++;
}

#include <string.h>

static char a[4] = "abc", b[4] = "xyz", c[4];

static char *target(void)
{
    g = 1;
    return c;
}

static const char *source(void)
{
    return g ? a : b;
}

int main(void)
{
    memcpy(target(), source(), 3);
    assert(c[0] == 'a'); // VIOLATION
    return 0;
}
