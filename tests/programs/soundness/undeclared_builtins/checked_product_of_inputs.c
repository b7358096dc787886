// Whether a product fits agrees with a division.
// EXPECT proved
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned long low = __VERIFIER_nondet_uchar(), product;
    int overflows = __builtin_mul_overflow(low << 56, 3, &product);
    assert(overflows == (low > 0x55) && product == (low * 3) << 56);
    return 0;
}
