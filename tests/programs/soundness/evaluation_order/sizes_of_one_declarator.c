// The sizes in one declarator are evaluated in any order.
// EXPECT violated
#include <assert.h>

static int x = 1;

static int twice(void)
{
    return x *= 2;
}

static int three_more(void)
{
    return x += 3;
}

int main(void)
{
    int table[twice()][three_more()];
    assert(sizeof table[0] == 4 * sizeof(int)); // VIOLATION
    return 0;
}
