// All bytes are compared, although the first ones differ.
// PROPERTY valid-deref
// EXPECT violated
#include <string.h>

int main(void) {
    char a[4] = {1}, b[8] = {2};
    return memcmp(a, b, 5) == 0; // VIOLATION
}
