// An atomic number of four bytes aligns nothing to eight.
// EXPECT proved
// OPTION ilp32

#include <assert.h>

struct inner { _Atomic int number; int other; };
struct outer { char first; struct inner inner; _Atomic long long wide; };

int main(void)
{
    assert(sizeof(struct outer) == 24);
    return 0;
}
