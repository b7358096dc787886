// EXPECT violated
// NONDET 0..3
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("log", "a");
    if (!file)
        return 0;
    rewind(file);
    if (fwrite("ab", 1, 2, file) == 2)
        assert(ftell(file) <= 2); // VIOLATION
    fclose(file);
    return 0;
}
