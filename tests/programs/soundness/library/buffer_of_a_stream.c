// The stream writes to a buffer that is no more.
// PROPERTY valid-deref
// EXPECT unknown
#include <stdio.h>

static void give_buffer(FILE *stream) {
    char buffer[64];
    setvbuf(stream, buffer, _IOFBF, 64);
}

int main(void) {
    give_buffer(stderr);
    fputs("x", stderr);
    return 0;
}
