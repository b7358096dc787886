// Without a width a word may be longer than the array.
// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>

int main(void) {
    char word[1];
    scanf("%s", word); // VIOLATION
    return 0;
}
