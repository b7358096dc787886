// Nothing is lost where there is none.
// PROPERTY valid-memtrack
// EXPECT proved
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 2;
    char *p = malloc(n);
    free(p);
    return 0;
}
