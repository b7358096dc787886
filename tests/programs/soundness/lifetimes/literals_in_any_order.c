// Operands are evaluated in any order; their compound literals outlive that.
// EXPECT proved
#include <assert.h>

static int calls;

static int *same(int *p)
{
    calls++;
    return p;
}

static int add(int *a, int *b)
{
    return *a + *b;
}

int main(void)
{
    assert(add(same(&(int){1}), same(&(int){2})) == 3);
    return 0;
}
