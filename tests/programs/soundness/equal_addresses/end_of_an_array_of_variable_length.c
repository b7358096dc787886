// EXPECT unknown
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 6)
        return 0;
    char one[length], other[length];
    one[0] = other[0] = 0;
    char *end = one + length;
    assert(end != other);
    return 0;
}
