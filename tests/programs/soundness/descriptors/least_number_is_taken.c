// EXPECT proved
// NONDET -1..5
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    if (close(0) != 0)
        return 0;
    int file = open("data", O_RDONLY);
    assert(file <= 0);
    int other = open("data", O_RDONLY);
    assert(other != 0 || file != 0);
    return 0;
}
