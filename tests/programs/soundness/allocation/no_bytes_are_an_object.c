// And it need not be null.
// EXPECT violated
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 2;
    char *p = calloc(n, 4);
    if (n == 0)
        assert(p == 0); // VIOLATION
    free(p);
    return 0;
}
