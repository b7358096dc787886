// PROPERTY valid-deref
// EXPECT violated
#include <stdlib.h>

int main(void) {
    char *p = aligned_alloc(64, 64);
    p[64] = 1; // VIOLATION
    return 0;
}
