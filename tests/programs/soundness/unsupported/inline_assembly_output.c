// EXPECT unknown
#include <assert.h>

int main(void)
{
    int x = 0;
    __asm__("movl $7, %0" : "=r"(x));
    assert(x == 0);
    return 0;
}
