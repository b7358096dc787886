// EXPECT proved
#include <assert.h>

int one(void)
{
    return 1;
}
int uno(void) __attribute__((alias("one")));

int main(void)
{
    assert(uno() == 1);
    return 0;
}
