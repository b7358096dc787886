// EXPECT unknown
#include <assert.h>
#include <stdatomic.h>

struct large {
    int numbers[5];
};
static _Atomic struct large shared;

int main(void)
{
    struct large new = { { 1 } };
    atomic_store(&shared, new);
    struct large seen = atomic_load(&shared);
    assert(seen.numbers[0] == 1);
    return 0;
}
