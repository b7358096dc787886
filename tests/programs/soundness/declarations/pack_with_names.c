// EXPECT proved
#include <assert.h>

#pragma pack(push, outer, 1)
#pragma pack(push, inner, 2)
struct two {
    char c;
    int i;
};
#pragma pack(pop, outer)
struct four {
    char c;
    int i;
};

int main(void)
{
    assert(sizeof(struct two) == 6 && sizeof(struct four) == 8);
    return 0;
}
