// EXPECT proved
// UNWIND 70
#include <assert.h>

int main(void) {
    int sum;
    assert(__builtin_popcount(7u) == 3 && __builtin_ctz(8u) == 3 && __builtin_clz(1u) == 31);
    assert(__builtin_bswap32(0x01020304u) == 0x04030201u && __builtin_ffs(0) == 0);
    assert(__builtin_add_overflow(2147483647, 1, &sum) && !__builtin_sub_overflow(3, 1, &sum) && sum == 2);
    assert(__builtin_expect(sum == 2, 1));
    return 0;
}
