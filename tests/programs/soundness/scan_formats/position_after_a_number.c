// A number has at least one character; positions grow.
// EXPECT proved
#include <assert.h>
#include <stdio.h>
int main(void) {
    int number, first = 9, second = 9, other, third = 0;
    int count = scanf("%n%d%n,%d%n", &first, &number, &second, &other, &third);
    assert(first == 0);
    assert(count < 1 || second >= 1);
    assert(count < 2 || third >= second + 2);
    return 0;
}
