// The variable that a builtin writes to is in no memory.
// EXPECT violated
#include <assert.h>

static int of(int overflows, int sum)
{
    return sum;
}

int main(void)
{
    int sum = 0;
    int result = of(__builtin_add_overflow(1, 2, &sum), sum);
    assert(result == 3); // VIOLATION
    return 0;
}
