// EXPECT proved
// NONDET -1..3
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "r");
    if (!file)
        return 0;
    int character = getc(file);
    if (character == EOF)
        return 0;
    ungetc(character, file);
    long position = ftell(file);
    assert(position == 0 || position == -1);
    getc(file);
    position = ftell(file);
    assert(position == 1 || position == -1);
    return 0;
}
