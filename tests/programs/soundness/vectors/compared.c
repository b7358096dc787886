// Comparisons of vectors are vectors.
// EXPECT unknown
#include <assert.h>

typedef int four __attribute__((vector_size(16)));

int main(void)
{
    four a = {1, 2, 3, 4}, b = {0};
    four c = a > b ? a : b;
    c = ~c;
    c |= a << 1;
    c++;
    assert(c[1] == 1);
    return 0;
}
