// An object of no bytes may be null, also if only the execution knows that it has none.
// EXPECT violated
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 2;
    char *p = malloc(n);
    assert(p != 0); // VIOLATION
    free(p);
    return 0;
}
