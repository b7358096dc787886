// How far labels are apart is the compiler's choice.
// EXPECT unknown
#include <assert.h>

int main(void)
{
    static int distance = &&second - &&first;
    assert(distance == 0);
first:
second:
    return 0;
}
