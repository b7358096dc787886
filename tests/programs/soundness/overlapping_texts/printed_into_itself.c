// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>
int main(void) {
    char text[16] = "abcd";
    snprintf(text, sizeof text, "%s!", text); // VIOLATION
    return 0;
}
