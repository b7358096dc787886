// `cleanup` functions are called for arrays of variable length, while these live.
// EXPECT proved
#include <assert.h>

static int seen, calls;

static void leave(void *array)
{
    seen = *(int *)array;
    calls++;
}

static int use(int n)
{
    int array[n] __attribute__((cleanup(leave)));
    array[0] = n;
    if (n > 2)
        return n;
    array[0] = 9;
    return 0;
}

int main(void)
{
    assert(use(3) == 3 && seen == 3 && calls == 1);
    assert(use(1) == 0 && seen == 9 && calls == 2);
    return 0;
}
