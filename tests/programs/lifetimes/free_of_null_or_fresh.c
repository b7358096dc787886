// Null and a fresh object can both be freed.
// PROPERTY valid-free
// EXPECT proved
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = 0;
    if (__VERIFIER_nondet_int())
        p = malloc(4);
    free(p);
    return 0;
}
