// EXPECT proved
#include <assert.h>

int x;

int main(void) {
    int expected = 0, out;
    assert(__atomic_compare_exchange_n(&x, &expected, 3, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    assert(__atomic_add_fetch(&x, 1, __ATOMIC_RELAXED) == 4 && __atomic_load_n(&x, __ATOMIC_ACQUIRE) == 4);
    __atomic_store_n(&x, 8, __ATOMIC_RELEASE);
    __atomic_load(&x, &out, __ATOMIC_SEQ_CST);
    assert(out == 8 && __atomic_exchange_n(&x, 1, __ATOMIC_ACQ_REL) == 8);
    assert(__sync_fetch_and_add(&x, 2) == 1 && __sync_sub_and_fetch(&x, 1) == 2);
    assert(__sync_bool_compare_and_swap(&x, 2, 7) && __sync_val_compare_and_swap(&x, 2, 9) == 7);
    assert(__sync_lock_test_and_set(&x, 1) == 7);
    __sync_lock_release(&x);
    __sync_synchronize();
    assert(x == 0);
    return 0;
}
