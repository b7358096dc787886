// What goes to other streams than the standard output changes nothing.
// EXPECT proved
#include <stdio.h>
#include <assert.h>

int main(void) {
    int value = 3;
    fprintf(stderr, "%d %s\n", value, "text");
    fputs("text", stderr);
    assert(fwrite(&value, sizeof value, 1, stderr) <= 1);
    fflush(stderr);
    fclose(stderr);
    assert(value == 3);
    return 0;
}
