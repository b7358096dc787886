// Whatever the order is, there is one operation, whose arguments exist once: a static object, a label, a compound literal.
// EXPECT proved
#include <assert.h>
#include <stdatomic.h>

int nondet_int(void);
atomic_int cell;
int evaluations;

int next(void) {
    return ++evaluations;
}

int main(void) {
    memory_order order = nondet_int() ? memory_order_seq_cst : memory_order_relaxed;
    for (int i = 0; i < 3; i++) {
        memory_order now = i == 1 ? memory_order_release : order;
        atomic_store_explicit(&cell, ({ static int kept; ++kept; }), now);
    }
    assert(cell == 3);
    int old = atomic_fetch_add_explicit(&cell, next(), order);
    assert(old == 3 && cell == 4 && evaluations == 1);
    int expected = 3;
    assert(!atomic_compare_exchange_strong_explicit(&cell, &expected, next(), order, order));
    assert(expected == 4 && cell == 4 && evaluations == 2);
    assert(atomic_exchange_explicit(&cell, next(), order) == 4 && evaluations == 3);
    assert(atomic_load_explicit(&cell, order) == 3);
    return 0;
}
