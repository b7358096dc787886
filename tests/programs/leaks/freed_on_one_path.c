// One path forgets the memory.
// PROPERTY valid-memcleanup
// EXPECT violated
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = malloc(4); // VIOLATION
    if (__VERIFIER_nondet_int())
        free(p);
    return 0;
}
