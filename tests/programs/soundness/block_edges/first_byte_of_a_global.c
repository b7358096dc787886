// A block that ends inside of a number changes the number.
// EXPECT proved
#include <assert.h>
#include <string.h>

int number = 5;

int main(void) {
    memset(&number, 0, 1);
    assert(number == 0);
    return 0;
}
