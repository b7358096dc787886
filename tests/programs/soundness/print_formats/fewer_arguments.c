// More conversions than arguments: what that does is not defined.
// EXPECT unknown
#include <assert.h>
#include <stdio.h>
int main(void) {
    int number = 1;
    printf("%d %d\n", number);
    assert(number == 2);
    return 0;
}
