// The list that keeps the exclusive or of two addresses.
// EXPECT violated
// TREES unknown integer arithmetic on a pointer value
#include <assert.h>
#include <stdint.h>
int x, y;
int main(void) {
    uintptr_t both = (uintptr_t)&x ^ (uintptr_t)&y;
    int *p = (int *)(both ^ (uintptr_t)&x);
    *p = 1;
    assert(x == 0);
    assert(y == 0); // VIOLATION
    return 0;
}
