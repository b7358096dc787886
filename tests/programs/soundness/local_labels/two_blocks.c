// EXPECT proved
#include <assert.h>

static int find(int wanted)
{
    int where = 0;
    {
        __label__ found;
        for (int i = 0; i < 3; i++)
            if (i == wanted)
                goto found;
        where += 1;
    found:;
    }
    {
        __label__ found;
        if (wanted == 1)
            goto found;
        where += 2;
    found:;
    }
    return where;
}

int main(void)
{
    assert(find(0) == 2 && find(1) == 0 && find(5) == 3);
    return 0;
}
