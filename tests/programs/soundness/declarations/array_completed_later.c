// EXPECT proved
#include <assert.h>

extern int table[];

static int get(int i)
{
    return table[i];
}

int table[4] = { 1, 2, 3, 4 };
int single[];

int main(void)
{
    assert(get(3) == 4 && single[0] == 0);
    return 0;
}
