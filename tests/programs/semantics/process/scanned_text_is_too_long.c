// Without a width a word may be longer than the array.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 0..4
#include <stdio.h>

int main(void) {
    char word[2];
    scanf("%s", word); // VIOLATION
    return 0;
}
