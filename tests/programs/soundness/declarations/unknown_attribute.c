// EXPECT unknown
#include <assert.h>

__attribute__((ifunc("choose"))) int f(void);

int main(void)
{
    assert(f() == 0);
    return 0;
}
