// The old value of an element may be read before the call, or after it.
// EXPECT violated
#include <assert.h>

static int a[2];

static int change(void)
{
    a[1] = 10;
    return 1;
}

int main(void)
{
    a[1] += change();
    assert(a[1] == 11); // VIOLATION
    return 0;
}
