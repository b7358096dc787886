// EXPECT holds
// NONDET 0..1
#include <assert.h>
#include <stdio.h>

int main(void) {
    char digits[3];
    if (scanf("%2[0-9]", digits) == 1)
        assert(digits[0] >= '0' && digits[0] <= '9');
    return 0;
}
