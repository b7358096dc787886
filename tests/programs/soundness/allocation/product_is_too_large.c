// calloc returns null where the product is no size.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 0..1
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned long n = ((unsigned long)1 << 62) + __VERIFIER_nondet_uint() % 2;
    int *p = calloc(n, 4);
    p[0] = 1; // VIOLATION
    return 0;
}
