// PROPERTY valid-deref
// EXPECT violated
#include <string.h>

char a[4];
char b[8] = "knots";

int main(void) {
    strcpy(a, b); // VIOLATION
    return 0;
}
