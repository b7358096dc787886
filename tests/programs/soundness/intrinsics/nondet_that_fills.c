// A function that is given a pointer is no input, whatever its name.
// EXPECT unknown
#include <assert.h>
extern void nondet_fill(int *p);

int main(void)
{
    int x = 0;
    nondet_fill(&x);
    assert(x == 0);
    return 0;
}
