// EXPECT violated
#include <assert.h>

static int calls;

static int count(void)
{
    calls++;
    return 2;
}

static void take(int a[count()], int b[2 * count()])
{
    a[0] = b[0];
}

int main(void)
{
    int a[2] = { 0 }, b[4] = { 0 };
    take(a, b);
    assert(calls == 0); // VIOLATION
    return 0;
}
