// A name that is a local in one block is a global in the next.
// EXPECT violated
#include <assert.h>

static int count;

static int next(void)
{
    {
        int count = 0;
        (void)count;
    }
    return ++count;
}

int main(void)
{
    int sum = count + next();
    assert(sum == 1); // VIOLATION
    return 0;
}
