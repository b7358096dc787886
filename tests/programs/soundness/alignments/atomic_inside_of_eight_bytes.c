// Whether gcc aligns the inner structure to four or to eight on i386 depends on how it keeps it.
// EXPECT unknown
// OPTION ilp32

#include <assert.h>

struct inner { _Atomic long long number; };
struct outer { char first; struct inner inner; };

int main(void)
{
    assert(sizeof(struct outer) == 16);
    return 0;
}
