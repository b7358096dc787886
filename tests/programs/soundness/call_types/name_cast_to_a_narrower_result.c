// EXPECT proved
#include <assert.h>

long large(void) { return 0x100000005; }

int main(void)
{
    assert(((int (*)(void))large)() == 5);
    return 0;
}
