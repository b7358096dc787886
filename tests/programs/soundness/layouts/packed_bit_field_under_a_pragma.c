// Under `#pragma pack` a bit-field aligns its structure, be it packed or not.
// EXPECT violated
#include <assert.h>

#pragma pack(push, 2)
struct flags { int flag : 3 __attribute__((packed)); };
#pragma pack(pop)

int main(void)
{
    assert(sizeof(struct flags) == 1); // VIOLATION
    return 0;
}
