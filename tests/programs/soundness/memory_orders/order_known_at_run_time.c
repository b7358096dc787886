// An order that is an argument of a function of the program's own.
// EXPECT proved
#include <assert.h>
#include <stdatomic.h>

static int get(atomic_int *p, memory_order order)
{
    return atomic_load_explicit(p, order);
}

static _Bool change(atomic_int *p, int from, int to, memory_order success, memory_order failure)
{
    return atomic_compare_exchange_strong_explicit(p, &from, to, success, failure);
}

int main(void)
{
    atomic_int x = 3;
    assert(get(&x, memory_order_relaxed) == 3);
    assert(get(&x, memory_order_acquire) == 3);
    assert(change(&x, 3, 4, memory_order_acq_rel, memory_order_relaxed));
    assert(!change(&x, 3, 4, memory_order_acq_rel, memory_order_relaxed));
    assert(get(&x, memory_order_seq_cst) == 4);
    return 0;
}
