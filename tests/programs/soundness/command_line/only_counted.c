// Any number of arguments.
// NONDET 1..4
// EXPECT violated
#include <assert.h>

int main(int argc, char **argv)
{
    assert(argc < 4); // VIOLATION
    return 0;
}
