// EXPECT proved
#include <assert.h>

static int next(int n, int a[n++])
{
    return n + a[0];
}

static int last(int rows, int columns, int (*m)[columns])
{
    return m[rows - 1][columns - 1];
}

int main(void)
{
    int a[3] = { 0 }, m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    assert(next(3, a) == 4);
    assert(last(2, 3, m) == 6 && sizeof(m[0]) == 12);
    return 0;
}
