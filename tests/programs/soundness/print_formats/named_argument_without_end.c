// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>
int main(void) {
    char letters[3] = {'x', 'y', 'z'};
    printf("%1$d %2$s %1$d\n", 1, letters); // VIOLATION
    return 0;
}
