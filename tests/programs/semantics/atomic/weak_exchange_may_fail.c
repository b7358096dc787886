// EXPECT violated
#include <stdatomic.h>
#include <assert.h>

atomic_int x;

int main(void) {
    int expected = 0;
    assert(atomic_compare_exchange_weak(&x, &expected, 1)); // VIOLATION
    return 0;
}
