// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>
int main(void) {
    char text[16] = "abcdef";
    sprintf(text, "%s%d", text + 5, 123456); // VIOLATION
    return 0;
}
