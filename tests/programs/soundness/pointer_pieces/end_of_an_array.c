// One past the end, made an integer and a pointer again, is a way back into the array.
// PROPERTY valid-deref
// EXPECT proved
// ENGINES unknown integer arithmetic on a pointer value
#include <stdint.h>
int main(void) {
    int a[3] = {1, 2, 3};
    uintptr_t end = (uintptr_t)(a + 3) + 1;
    int *p = (int *)(end - 1);
    return p[-1];
}
