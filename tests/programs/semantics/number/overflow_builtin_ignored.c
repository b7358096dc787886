// Who does not look at the result of the builtin takes the wrapped sum.
// EXPECT violated
#include <limits.h>
#include <assert.h>

volatile int a = INT_MAX;

int main(void) {
    int sum;
    __builtin_add_overflow(a, 1, &sum);
    assert(sum > 0); // VIOLATION
    return 0;
}
