// EXPECT proved
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned left = 5, right = 5;
    assert(rand_r(&left) == rand_r(&right));
    assert(rand_r(&left) == rand_r(&right) && left == right);
    return 0;
}
