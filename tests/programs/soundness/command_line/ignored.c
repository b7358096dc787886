// EXPECT proved
#include <assert.h>

int main(int argc, char **argv)
{
    int x = 1;
    (void)argc;
    (void)argv;
    assert(x == 1);
    return 0;
}
