// EXPECT unknown
#include <assert.h>

static __attribute__((aligned(64))) int first;
static __attribute__((copy(first))) int second;

int main(void)
{
    assert(__alignof__(second) == 4 || first);
    return 0;
}
