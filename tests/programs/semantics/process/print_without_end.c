// PROPERTY valid-deref
// EXPECT violated
// ENGINES unknown printing a string that is not a literal
#include <stdio.h>

char a[2] = {'n', 'o'};

int main(void) {
    puts(a); // VIOLATION
    return 0;
}
