// fclose() closes the file that fdopen() was given.
// EXPECT proved
// NONDET 3..3
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int file = open("a", O_RDONLY);
    FILE *stream = file < 0 ? 0 : fdopen(file, "r");
    char byte;
    if (stream && fclose(stream) == 0) {
        ssize_t length = read(file, &byte, 1);
        assert(length == -1 && errno == EBADF);
    }
    return 0;
}
