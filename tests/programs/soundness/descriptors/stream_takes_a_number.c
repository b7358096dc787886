// A stream has the number of a file, too, even if nobody has asked for it.
// EXPECT violated
// NONDET 0..3
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char byte;
    int file = open("a", O_RDONLY);
    if (file < 0 || close(file))
        return 0;
    FILE *stream = fopen("b", "r");
    if (!stream)
        return 0;
    assert(read(file, &byte, 1) == -1); // VIOLATION
    return 0;
}
