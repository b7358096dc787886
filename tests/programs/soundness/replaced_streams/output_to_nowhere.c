// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>
int main(void) {
    stdout = NULL;
    printf("x%d\n", 1); // VIOLATION
    return 0;
}
