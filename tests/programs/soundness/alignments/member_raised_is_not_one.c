// The alignment of a member is what it was declared with, not that of its type.
// EXPECT violated

#include <assert.h>

struct outer { _Alignas(16) char first; };

static int alignment(struct outer *pointer)
{
    return __alignof__(pointer->first);
}

int main(void)
{
    struct outer object = {0};
    assert(alignment(&object) == 1); // VIOLATION
    return 0;
}
