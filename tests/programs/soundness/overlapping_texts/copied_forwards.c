// PROPERTY valid-deref
// EXPECT violated
#include <string.h>
int main(void) {
    char text[16] = "abcd";
    strncpy(text + 2, text, 4); // VIOLATION
    return 0;
}
