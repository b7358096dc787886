// 2^62 times 12 is a multiple of 2^64, too.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 0..1
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct triple { int first, second, third; };

int main(void)
{
    struct triple *triple = malloc(sizeof *triple);
    long index = (long)__VERIFIER_nondet_int() << 62;
    triple[index].third = 1; // VIOLATION
    free(triple);
    return 0;
}
