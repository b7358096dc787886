// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>

char a[2] = {'n', 'o'};

int main(void) {
    puts(a); // VIOLATION
    return 0;
}
