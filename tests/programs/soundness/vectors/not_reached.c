// A function with vectors that nothing calls is no obstacle, and sizes are known.
// EXPECT proved
#include <assert.h>

typedef double two __attribute__((vector_size(16)));

two twice(two a)
{
    return a + a;
}

int main(void)
{
    two a;
    assert(sizeof a == 16 && sizeof a[0] == 8 && _Alignof(two) == 16);
    return 0;
}
