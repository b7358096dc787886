// The functions of libatomic take values, not addresses.
// EXPECT proved
#include <assert.h>

static int x = 1;

int main(void)
{
    int expected = 2;
    __atomic_store_4(&x, 2, __ATOMIC_RELEASE);
    assert(__atomic_load_4(&x, __ATOMIC_ACQUIRE) == 2);
    assert(__atomic_exchange_4(&x, 3, __ATOMIC_ACQ_REL) == 2);
    assert(!__atomic_compare_exchange_4(&x, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && expected == 3);
    return 0;
}
