// EXPECT proved
// TREES unknown pointers to different objects with symbolic offsets are not compared
// NONDET 1..3
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 3)
        return 0;
    char one[length], other[length];
    one[0] = other[0] = 0;
    assert(&one[length - 1] != other);
    assert(one + length == &one[length]);
    return 0;
}
