// The alignment of a member is what it was declared with, not that of its type.
// EXPECT proved

#include <assert.h>

struct inner { short half; _Alignas(8) char raised; };
struct outer { char first; long wide __attribute__((aligned(32))); struct inner inner; struct { _Alignas(16) char deep; }; };
static struct outer object;

int main(void)
{
    struct outer *pointer = &object;
    static char room[__alignof__(object.wide)];
    assert(_Alignof(object.wide) == 32 && __alignof__(pointer->wide) == 32);
    assert(__alignof__(object.inner.raised) == 8 && __alignof__(pointer->inner.half) == 2);
    assert(__alignof__(object.deep) == 16 && __alignof__(object.first) == 1);
    assert(sizeof room == 32);
    return 0;
}
