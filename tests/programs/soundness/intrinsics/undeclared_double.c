// The name of an undeclared input tells its type.
// EXPECT proved
#include <assert.h>

int main(void)
{
    assert(sizeof(nondet_double()) == 8);
    assert(sizeof(nondet_uchar()) == 1);
    return 0;
}
