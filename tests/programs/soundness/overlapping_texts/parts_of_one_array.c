// Areas of one array that do not overlap.
// PROPERTY valid-deref
// EXPECT proved
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[24] = "abc";
    strcpy(text + 4, text);
    strncpy(text + 8, text, 4);
    strcat(text + 8, text + 4);
    strncat(text, text + 1, 1);
    sprintf(text + 16, "%s", text + 5);
    return 0;
}
