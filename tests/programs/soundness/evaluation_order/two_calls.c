// EXPECT violated
#include <assert.h>

static int n;

static int next(void)
{
    return ++n;
}

int main(void)
{
    int x = next() - next();
    assert(x == -1); // VIOLATION
    return 0;
}
