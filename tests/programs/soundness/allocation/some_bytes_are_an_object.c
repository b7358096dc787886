// An object with bytes is there.
// PROPERTY valid-deref
// EXPECT proved
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 2 + 1;
    char *p = malloc(n);
    p[0] = 1;
    free(p);
    return 0;
}
