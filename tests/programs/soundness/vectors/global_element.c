// Nor those of a global with an initialiser.
// EXPECT unknown
#include <assert.h>

typedef float four __attribute__((vector_size(16)));
four g = {1, 2};

int main(void)
{
    g[1] = 4;
    assert(g[0] == 2);
    return 0;
}
