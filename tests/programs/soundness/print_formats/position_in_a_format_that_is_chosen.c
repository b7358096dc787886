// What a format does that is no literal is not followed if it may store something.
// EXPECT unknown
#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int position = 0;
    const char *format = argc > 1 ? "abc%n\n" : "abc\n";
    printf(format, &position);
    assert(position == 0);
    return 0;
}
