// The unsupported construct is in code that no execution reaches: the engines see that.
// PROPERTY assert
// EXPECT proved
#include <assert.h>
extern int foo(void);
static int zero;
int main(void) {
    int sum = 0;
    if (zero)
        sum = foo();
    assert(sum == 0);
    return 0;
}
