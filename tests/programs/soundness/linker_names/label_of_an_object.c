// Two names for one object, at file scope and in both orders.
// EXPECT proved
#include <assert.h>

extern int before __asm__("counter");
int counter = 5;
extern int after __asm__("counter");
int renamed __asm__("other") = 3;
extern int other;

int main(void)
{
    before = 6;
    assert(counter == 6 && after == 6);
    other = 4;
    assert(renamed == 4);
    return 0;
}
