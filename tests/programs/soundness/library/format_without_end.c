// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>

int main(void) {
    char format[2] = {'a', 'b'};
    printf(format); // VIOLATION
    return 0;
}
