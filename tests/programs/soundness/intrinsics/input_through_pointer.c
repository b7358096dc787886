// EXPECT violated
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char (*input)(void) = __VERIFIER_nondet_uchar;
    unsigned char x = input();
    assert(x < 256);
    assert(x == 0); // VIOLATION
    return 0;
}
