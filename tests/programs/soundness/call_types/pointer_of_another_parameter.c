// EXPECT unknown
#include <assert.h>

int is_minus_one(long x) { return x == -1; }

int (*by_pointer)(int) = (int (*)(int))is_minus_one;

int main(void)
{
    assert(by_pointer(-1));
    return 0;
}
