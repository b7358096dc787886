// EXPECT proved
#include <assert.h>

static int a, b;

static int next_a(void)
{
    return ++a;
}

static int next_b(void)
{
    return ++b;
}

int main(void)
{
    int x = 10 * next_a() + next_b();
    assert(x == 11);
    return 0;
}
