// What the elements of a vector are is not known.
// EXPECT unknown
#include <assert.h>

typedef int four __attribute__((vector_size(16)));

int main(void)
{
    four a = {1, 2, 3, 4};
    four b = a + (four){1, 1, 1, 1};
    assert(b[0] == 3);
    return 0;
}
