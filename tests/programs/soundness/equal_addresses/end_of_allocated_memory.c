// EXPECT unknown
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 6)
        return 0;
    char *one = malloc(length), *other = malloc(length);
    assert(one + length != other);
    return 0;
}
