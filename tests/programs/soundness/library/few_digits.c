// EXPECT proved
// NONDET -1..1
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 0;
    if (scanf("%2d", &number) == 1)
        assert(number >= -9 && number <= 99);
    return 0;
}
