// EXPECT violated
// NONDET 3..4
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int a = open("a", O_RDONLY);
    if (a < 0 || close(a) != 0)
        return 0;
    int b = open("b", O_RDONLY);
    assert(a != b); // VIOLATION
    return 0;
}
