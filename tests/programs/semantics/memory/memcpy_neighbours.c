// Areas that touch do not overlap, and memmove may do what memcpy may not.
// PROPERTY valid-deref
// EXPECT holds
#include <string.h>

char a[8];

int main(void) {
    memcpy(a + 4, a, 4);
    memcpy(a, a + 4, 4);
    memmove(a + 1, a, 4);
    return 0;
}
