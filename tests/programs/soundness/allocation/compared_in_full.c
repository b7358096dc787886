// memcmp may look at all bytes, whichever differ first.
// PROPERTY valid-deref
// EXPECT violated
// NATIVE no the system's function stops earlier
#include <string.h>

int main(void)
{
    char a[3] = "ab", b[4] = "abc";
    return memcmp(a, b, 4); // VIOLATION
}
