// A declaration inside of a function may name another object for the linker, too.
// EXPECT violated
#include <assert.h>

int counter = 5;

int main(void)
{
    extern int number __asm__("counter");
    number = 6;
    assert(counter == 5); // VIOLATION
    return 0;
}
