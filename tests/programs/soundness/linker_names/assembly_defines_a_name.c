// Assembly outside of functions may define what the program names.
// EXPECT unknown
#include <assert.h>

int counter;
__asm__(".globl number\n.set number, counter");
extern int number;

int main(void)
{
    number = 4;
    assert(counter == 0);
    return 0;
}
