// EXPECT violated
#include <assert.h>

static int x = 1;

static int change(void)
{
    x = 5;
    return 0;
}

int main(void)
{
    int y = x + change();
    assert(y == 1); // VIOLATION
    return 0;
}
