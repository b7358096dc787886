// The place of an atomic store may be found out before or after the value.
// EXPECT violated
#include <assert.h>
#include <stdatomic.h>

static int index;
static atomic_int cells[2];

static int value(void)
{
    index = 1;
    return 4;
}

int main(void)
{
    atomic_store(&cells[index], value());
    assert(cells[0] == 4); // VIOLATION
    return 0;
}
