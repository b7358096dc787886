// The result of an external function is unknown, not zero.
// EXPECT unknown
#include <assert.h>
extern int outside(void);

int main(void)
{
    assert(outside() == 0);
    return 0;
}
