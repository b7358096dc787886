// A number is free again after close().
// EXPECT violated
// NONDET 3..4
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int first = open("a", O_RDONLY);
    if (first >= 0 && close(first) == 0)
        assert(open("b", O_RDONLY) != first); // VIOLATION
    return 0;
}
