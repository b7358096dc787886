// EXPECT proved
#include <assert.h>

struct numbers { int items[3]; } one = {{1, 2, 3}}, other = {{4, 5, 6}};

int change(int *items)
{
    one.items[0] = 7;
    return items[0];
}

int main(void)
{
    assert(change((one.items[1] == 2 ? one : other).items) == 1);
    assert(one.items[0] == 7);
    return 0;
}
