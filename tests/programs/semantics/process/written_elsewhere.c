// What goes to other streams than the standard output changes nothing.
// EXPECT proved
#include <stdio.h>
#include <assert.h>

int main(void) {
    int value = 3;
    fprintf(stderr, "%d %s\n", value, "text");
    assert(fputs("text", stderr) >= 0);
    assert(fwrite(&value, sizeof value, 1, stderr) == 1);
    assert(fflush(stderr) == 0 && fclose(stderr) == 0);
    assert(value == 3);
    return 0;
}
