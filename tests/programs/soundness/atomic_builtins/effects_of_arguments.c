// Arguments that decide nothing are evaluated all the same, once.
// EXPECT proved
#include <assert.h>
#include <stdatomic.h>

int number;
int count;
atomic_int shared;

int main(void) {
    int expected = 0;
    int found = __atomic_is_lock_free(4, (count++, &number));
    assert(found && count == 1);
    __atomic_compare_exchange_n(&number, &expected, 5, (count++, 0), __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    assert(number == 5 && count == 2);
    __atomic_signal_fence((count++, __ATOMIC_SEQ_CST));
    assert(count == 3);
    assert(atomic_is_lock_free((count++, &shared)) && count == 4);
    return 0;
}
