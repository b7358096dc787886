// A function that is declared inside of another one has the name that its label gives it.
// EXPECT proved
#include <assert.h>

int five(void) { return 5; }

int main(void)
{
    extern int number(void) __asm__("five");
    assert(number() == 5);
    return 0;
}
