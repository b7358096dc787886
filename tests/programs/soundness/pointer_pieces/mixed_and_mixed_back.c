// EXPECT violated
// TREES unknown integer arithmetic on a pointer value
#include <assert.h>
#include <stdint.h>
int x;
int main(void) {
    uintptr_t bits = (uintptr_t)&x ^ 0x5a5a5a5a;
    bits ^= 0x5a5a5a5a;
    *(int *)bits = 3;
    assert(x == 0); // VIOLATION
    return 0;
}
