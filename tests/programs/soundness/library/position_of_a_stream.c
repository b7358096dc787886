// EXPECT proved
// NONDET -1..4
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = tmpfile();
    if (!file)
        return 0;
    long position = ftell(file);
    assert(position == 0 || position == -1);
    fclose(file);
    return 0;
}
