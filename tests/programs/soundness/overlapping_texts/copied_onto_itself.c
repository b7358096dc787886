// PROPERTY valid-deref
// EXPECT violated
#include <string.h>
int main(void) {
    char text[8] = "abcd";
    strcpy(text, text + 1); // VIOLATION
    return 0;
}
