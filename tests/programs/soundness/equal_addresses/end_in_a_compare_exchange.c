// EXPECT unknown
#include <assert.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

_Atomic(char *) end;

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 6)
        return 0;
    char one[length], other[length];
    one[0] = other[0] = 0;
    end = &one[length];
    char *start = other;
    assert(!atomic_compare_exchange_strong(&end, &start, 0));
    return 0;
}
