// A goto back over a declaration leaves the scope of its name: the cleanup function is called.
// EXPECT proved
#include <assert.h>

static int sum;

static void add(int *p)
{
    sum += *p;
}

int main(void)
{
    {
        int n = 0;
    again:;
        int x __attribute__((cleanup(add))) = 5;
        if (n++ < 2)
            goto again;
        assert(sum == 10);
    }
    assert(sum == 15);
    return 0;
}
