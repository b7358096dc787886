// A member of a packed structure is aligned to a byte, one under a pragma to what that says.
// EXPECT proved

#include <assert.h>

struct __attribute__((packed)) packed { char first; int number; };
#pragma pack(2)
struct limited { char first; int number; double real; };
#pragma pack()
struct one { char first; int number __attribute__((packed)); long wide; };

int main(void)
{
    struct packed packed = {0};
    struct limited limited = {0};
    struct one one = {0};
    assert(__alignof__(packed.number) == 1);
    assert(__alignof__(limited.number) == 2 && __alignof__(limited.real) == 2 && __alignof__(limited.first) == 1);
    assert(__alignof__(one.number) == 1 && __alignof__(one.wide) == 8);
    return packed.number + limited.number + one.number;
}
