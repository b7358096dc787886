// EXPECT violated
#include <assert.h>

static int i;
static int a[2];

static int change(void)
{
    i = 1;
    return 7;
}

int main(void)
{
    a[i] = change();
    assert(a[0] == 7); // VIOLATION
    return 0;
}
