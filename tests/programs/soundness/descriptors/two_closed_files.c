// Both numbers are remembered.
// EXPECT proved
// NONDET 3..4
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int first = open("a", O_RDONLY), second = open("b", O_RDONLY);
    if (first < 0 || second < 0 || close(first) || close(second))
        return 0;
    int again = close(first);
    assert(again == -1 && errno == EBADF);
    again = close(second);
    assert(again == -1 && errno == EBADF);
    return 0;
}
