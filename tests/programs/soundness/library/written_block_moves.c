// EXPECT proved
// NONDET -1..3
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = tmpfile();
    if (!file)
        return 0;
    if (fwrite("abc", 1, 3, file) == 3) {
        long position = ftell(file);
        assert(position == 3 || position == -1);
    }
    fclose(file);
    return 0;
}
