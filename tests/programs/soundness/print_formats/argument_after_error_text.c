// The string is the first argument, not the second one.
// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>
int main(void) {
    char name[2] = {'a', 'b'};
    fprintf(stderr, "%m: %s\n", name); // VIOLATION
    return 0;
}
