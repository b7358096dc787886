// What every implementation promises of addresses: alignment, no null, no overlap.
// EXPECT proved
// TREES unknown integer arithmetic on a pointer value
#include <assert.h>
#include <stdint.h>

int x[4], y[4];

int main(void) {
    uintptr_t first = (uintptr_t)x, second = (uintptr_t)y;
    assert(first % sizeof(int) == 0);
    assert(first * 2 != 0 && first + second > first);
    assert(first < second ? first + sizeof x <= second : second + sizeof y <= first);
    return 0;
}
