// The hash of an address may be one too large.
// PROPERTY valid-deref
// EXPECT violated
// ENGINES unknown a violation that depends on where memory lies
// TREES unknown integer arithmetic on a pointer value
#include <stdint.h>
#include <stdlib.h>

static char seen[8];

int main(void) {
    for (int i = 0; i < 9; i++) {
        uintptr_t number = (uintptr_t)malloc(16);
        seen[(number >> 4) % 9] = 1; // VIOLATION
    }
    return 0;
}
