// EXPECT proved
#include <assert.h>

__attribute__((weak)) int f(void)
{
    return 3;
}

int main(void)
{
    assert(f() == 3);
    return 0;
}
