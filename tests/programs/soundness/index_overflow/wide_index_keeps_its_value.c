// EXPECT proved
// NONDET 0..3
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int numbers[4] = {3, 5, 7, 9};

int main(void)
{
    long index = __VERIFIER_nondet_int();
    if (index >= 0 && index < 4)
        assert(numbers[index] == 3 + 2 * index);
    return 0;
}
