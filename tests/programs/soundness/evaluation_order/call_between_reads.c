// A call may come between the parts of its sibling.
// EXPECT violated
#include <assert.h>

static int left = 1, right = 2;

static int swap(void)
{
    left = 2;
    right = 1;
    return 0;
}

int main(void)
{
    int sum = (left + right) + swap();
    assert(sum == 3); // VIOLATION
    return 0;
}
