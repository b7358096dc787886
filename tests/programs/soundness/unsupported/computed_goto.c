// NONDET 0..2
// A computed goto leads to the label whose address it is given.
// EXPECT violated
// TREES unknown labels are compared like literals
#include <assert.h>

extern int nondet_int(void);

int main(void)
{
    void *table[] = { &&zero, &&one, &&two };
    int i = nondet_int();
    if (i < 0 || i > 2)
        return 0;
    goto *table[i];
zero:
    return 0;
one:
    return 0;
two:
    assert(0); // VIOLATION
    return 0;
}
