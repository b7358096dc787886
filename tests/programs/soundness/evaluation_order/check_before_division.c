// PROPERTY no-div-by-zero
// EXPECT proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int require(int divisor)
{
    if (divisor == 0)
        exit(0);
    return 1;
}

int main(void)
{
    int divisor = __VERIFIER_nondet_int();
    return require(divisor) ? 10 / divisor : 0;
}
