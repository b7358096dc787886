// NONDET 1..101
// EXPECT violated
#include <assert.h>

int main(int argc, char **argv)
{
    assert(argc != 100); // VIOLATION
    return 0;
}
