// What is left over initialises nothing; a designator leads back to the elements.
// EXPECT proved
#include <assert.h>

union number {
    int i;
    char c;
};

int main(void)
{
    int two[2] = { 1, 2, 3, 4 };
    assert(two[0] == 1 && two[1] == 2);
    int again[2] = { [1] = 1, 2, [0] = 3, 4, 5 };
    assert(again[0] == 3 && again[1] == 4);
    union number number = { 1, 2 };
    assert(number.i == 1);
    return 0;
}
