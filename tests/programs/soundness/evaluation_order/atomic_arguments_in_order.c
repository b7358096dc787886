// A place and a value that do not depend on each other.
// EXPECT proved
#include <assert.h>
#include <stdatomic.h>

static int calls;
static atomic_int cells[2];

static int value(void)
{
    calls++;
    return 4;
}

int main(void)
{
    int expected = 0;
    atomic_store(&cells[1], value());
    assert(cells[1] == 4 && calls == 1);
    atomic_fetch_add(&cells[calls - 1], 2);
    assert(atomic_compare_exchange_strong(&cells[1], &expected, value()) == 0);
    assert(expected == 4 && cells[0] == 2 && calls == 2);
    return 0;
}
