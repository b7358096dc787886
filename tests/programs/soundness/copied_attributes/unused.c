// What is not used is no obstacle.
// EXPECT proved
#include <assert.h>

__attribute__((noinline)) static int first(void)
{
    return 1;
}

__attribute__((copy(first), unused)) static int second(void)
{
    return 2;
}

int main(void)
{
    assert(first() == 1);
    return 0;
}
