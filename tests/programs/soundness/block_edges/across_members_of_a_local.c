// The same in a structure on the stack, with an assignment of the structure before.
// EXPECT proved
#include <assert.h>
#include <string.h>

struct mixed {
    char letter;
    int number;
    short small;
    double real;
    _Bool flag;
};
struct mixed original = {1, 2, 3, 4.0, 1};

int main(void) {
    struct mixed copy = original;
    memset((char *)&copy + 5, 0, 2);
    assert(copy.number == 2);
    memset((char *)&copy + 4, 7, 1);
    assert(copy.number == 7 && copy.letter == 1 && copy.small == 3 && copy.flag);
    memset((char *)&copy + sizeof copy - 1, 0, 1);
    memset((char *)&copy.real + 7, 0xc0, 1);
    assert(copy.real < 0);
    return 0;
}
