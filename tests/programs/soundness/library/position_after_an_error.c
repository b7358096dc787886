// Where a stream stands after an error is indeterminate.
// EXPECT violated
// NONDET -3..3
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "r");
    if (!file)
        return 0;
    int character = fgetc(file);
    if (character == EOF && ferror(file)) {
        long position = ftell(file);
        assert(position <= 0); // VIOLATION
    }
    return 0;
}
