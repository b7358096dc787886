// The allocation is as large as the input says.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 0..2
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 3)
        return 0;
    char *p = malloc(n);
    p[n] = 1; // VIOLATION
    free(p);
    return 0;
}
