// EXPECT unknown
#include <assert.h>
#include <stdio.h>
int main(void) {
    int length = printf("%f\n", 1.5);
    assert(length < 0 || length == 9);
    return 0;
}
