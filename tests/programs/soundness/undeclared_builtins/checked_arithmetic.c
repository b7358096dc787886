// Arithmetic that tells whether its result fits, for operands and results of any types.
// EXPECT proved
#include <assert.h>
#include <limits.h>
#include <stddef.h>

int main(void)
{
    int i;
    unsigned u;
    long l;
    unsigned long ul;
    unsigned char c;
    size_t n = 10;

    assert(!__builtin_add_overflow(n, 1, &n) && n == 11);
    assert(__builtin_mul_overflow((size_t)-1, 2, &n) && n == (size_t)-2);
    n = 5;
    assert(!__builtin_mul_overflow(n, sizeof(int), &n) && n == 20);
    n = -1;
    assert(__builtin_add_overflow(n, n, &n) && n == (size_t)-2);
    assert(__builtin_add_overflow(-1, 0UL, &ul) && ul == -1UL);
    assert(!__builtin_add_overflow(-1L, 1UL, &ul) && ul == 0);
    assert(!__builtin_sub_overflow(5UL, 6UL, &l) && l == -1);
    assert(__builtin_sub_overflow(5UL, 6UL, &c) && c == 255);
    assert(!__builtin_sub_overflow(LONG_MIN, LONG_MIN, &l) && l == 0);
    assert(__builtin_sub_overflow(0, LONG_MIN, &l));
    assert(!__builtin_sub_overflow(0, LONG_MIN, &ul) && ul == 1UL << 63);
    assert(!__builtin_add_overflow(ULONG_MAX, -1, &ul) && ul == ULONG_MAX - 1);
    assert(__builtin_add_overflow(ULONG_MAX, 1L, &l) && l == 0);
    assert(__builtin_mul_overflow(1L << 40, 1L << 40, &l) && l == 0);
    assert(!__builtin_mul_overflow(LONG_MIN, 1, &l) && l == LONG_MIN);
    assert(__builtin_mul_overflow(LONG_MIN, -1, &l) && l == LONG_MIN);
    assert(!__builtin_mul_overflow(LONG_MIN, -1, &ul) && ul == 1UL << 63);
    assert(__builtin_mul_overflow(-1L, 1UL, &ul));
    assert(!__builtin_mul_overflow(-1L, 0UL, &ul) && ul == 0);
    assert(__builtin_mul_overflow(UINT_MAX, UINT_MAX, &l));
    assert(!__builtin_mul_overflow(UINT_MAX, UINT_MAX, &ul) && ul == 0xfffffffe00000001);
    assert(__builtin_uadd_overflow(UINT_MAX, 1, &u) && u == 0);
    assert(__builtin_ssubl_overflow(LONG_MIN, 1, &l) && l == LONG_MAX);
    assert(!__builtin_smul_overflow(-5, 6, &i) && i == -30);
    assert(__builtin_umull_overflow(1UL << 63, 2, &ul) && ul == 0);
    assert(__builtin_add_overflow_p(INT_MAX, 1, 0) && !__builtin_add_overflow_p(INT_MAX, 1, 0L));
    assert(__builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31 && __builtin_clrsbl(1) == 62 && __builtin_clrsb(-5) == 28);
    return 0;
}
