// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>

int main(void) {
    char text[] = "one two";
    return sscanf(text, "%s", text) != 1; // VIOLATION
}
