// What depends on an argument holds up to the bounds on arguments.
// EXPECT never-proved
#include <assert.h>

int main(int argc, char **argv)
{
    int n = 0;
    if (argc > 1 && argv[1][0] == '-')
        n = 1;
    assert(n == 0 || n == 1);
    return 0;
}
