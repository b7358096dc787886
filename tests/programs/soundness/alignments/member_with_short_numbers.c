// On i386 numbers of eight bytes are aligned to four inside of structures.
// EXPECT proved
// OPTION ilp32

#include <assert.h>

struct pair { char first; long long wide; _Atomic long long atomic; };

int main(void)
{
    struct pair pair = {0};
    long long alone = 0;
    assert(__alignof__(pair.wide) == 4 && __alignof__(pair.atomic) == 8);
    assert(__alignof__(alone) == 8);
    return (int)(pair.wide + alone);
}
