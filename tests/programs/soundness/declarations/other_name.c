// EXPECT proved
#include <assert.h>

extern int visible(void) __asm__("hidden");

int hidden(void)
{
    return 5;
}

int main(void)
{
    assert(visible() == 5);
    return 0;
}
