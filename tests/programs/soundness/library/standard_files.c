// EXPECT proved
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    assert(fileno(stdin) == 0 && fileno(stdout) == 1 && fileno(stderr) == 2);
    assert(close(-1) == -1 && errno == EBADF);
    assert(write(-1, "a", 1) == -1 && errno == EBADF);
    return 0;
}
