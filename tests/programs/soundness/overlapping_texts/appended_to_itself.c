// PROPERTY valid-deref
// EXPECT violated
#include <string.h>
int main(void) {
    char text[32] = "abcd";
    strcat(text, text + 1); // VIOLATION
    return 0;
}
