// Not only the file that was closed last is known to be none.
// EXPECT proved
// NONDET 3..4
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int a = open("a", O_RDONLY), b = open("b", O_RDONLY);
    if (a < 0 || b < 0 || close(a) != 0 || close(b) != 0)
        return 0;
    assert(close(a) != 0 && close(b) != 0);
    return 0;
}
