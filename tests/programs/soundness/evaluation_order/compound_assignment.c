// EXPECT violated
#include <assert.h>

static int sum = 1;

static int change(void)
{
    sum = 10;
    return 1;
}

int main(void)
{
    sum += change();
    assert(sum == 11); // VIOLATION
    return 0;
}
