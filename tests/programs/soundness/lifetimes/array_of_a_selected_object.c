// A selection of a named object is that object, and no value.
// EXPECT proved
#include <assert.h>

union word {
    long number;
    char bytes[8];
};
struct numbers { int items[2]; } numbers = {{1, 2}};

int main(void)
{
    int *items = _Generic(0, int: numbers, default: 0).items;
    *items = 5;
    assert(numbers.items[0] == 5 && __builtin_choose_expr(1, numbers, 0).items == items);
    assert(((union word)5L).bytes[0] == 5);
    return 0;
}
