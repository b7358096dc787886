// Everything of <stdatomic.h>, with and without an order.
// EXPECT proved
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

struct box {
    atomic_uint_fast16_t small;
    _Atomic(int *) pointer;
};

int main(void)
{
    static atomic_flag flag = ATOMIC_FLAG_INIT;
    atomic_int x = ATOMIC_VAR_INIT(1);
    int y = 7;
    struct box box = { 0 };
    assert(!atomic_flag_test_and_set(&flag));
    assert(atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear_explicit(&flag, memory_order_release);
    assert(!atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    atomic_store(&x, 5);
    atomic_store_explicit(&x, 6, memory_order_release);
    assert(atomic_exchange(&x, 8) == 6);
    assert(atomic_exchange_explicit(&x, 9, memory_order_acq_rel) == 8);
    assert(atomic_fetch_add(&x, 2) == 9 && atomic_fetch_sub_explicit(&x, 1, memory_order_relaxed) == 11);
    assert(atomic_fetch_or(&x, 5) == 10 && atomic_fetch_and(&x, 12) == 15 && atomic_fetch_xor(&x, 4) == 12);
    int expected = 1;
    assert(!atomic_compare_exchange_strong(&x, &expected, 2) && expected == 8);
    assert(atomic_compare_exchange_strong_explicit(&x, &expected, 2, memory_order_acq_rel, memory_order_acquire));
    assert(x == 2);
    atomic_init(&box.pointer, &y);
    assert(*atomic_load_explicit(&box.pointer, memory_order_consume) == 7);
    box.small += 3;
    assert(atomic_load(&box.small) == 3);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acq_rel);
    assert(atomic_is_lock_free(&x) && ATOMIC_INT_LOCK_FREE == 2);
    assert(kill_dependency(y) == 7);
    return 0;
}
