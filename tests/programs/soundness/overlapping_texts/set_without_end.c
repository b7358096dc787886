// A set of characters is a string, also if its first character is found at once.
// PROPERTY valid-deref
// EXPECT violated
#include <string.h>
int main(void) {
    char set[2] = {'a', 'b'};
    return (int)strcspn("abc", set); // VIOLATION
}
