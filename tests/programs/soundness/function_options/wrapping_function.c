// PROPERTY no-overflow
// EXPECT proved
#include <limits.h>

extern int nondet_int(void);

__attribute__((optimize("O2", "wrapv"))) static int wrapped(int x)
{
    return x + 1;
}

int main(void)
{
    return wrapped(nondet_int() ? INT_MAX : 0) == 1;
}
